interface TypedNumberLimits {
  /** What stood there before anybody typed. */
  before: number;
  min: number;
  max: number;
}

/** The number that digits on their way to it stand for: within the limits, and the one of before while there are none. */
export function typedNumber(digits: string, { before, min, max }: TypedNumberLimits): number {
  return digits === '' ? before : Math.min(max, Math.max(min, Number(digits)));
}
