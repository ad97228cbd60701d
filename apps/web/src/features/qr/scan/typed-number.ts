interface TypedNumberLimits {
  /** The value before the user typed. */
  before: number;
  min: number;
  max: number;
}

/** Returns the typed number within the limits; the previous value while the input is empty. */
export function typedNumber(digits: string, { before, min, max }: TypedNumberLimits): number {
  return digits === '' ? before : Math.min(max, Math.max(min, Number(digits)));
}
