interface TypedNumberOptions {
  /** The value before the user typed. */
  before: number;
  min: number;
  max: number;
}

/** Returns the typed number, clamped to `min` and `max`; `before` while the input is empty. */
export function typedNumber(digits: string, { before, min, max }: TypedNumberOptions): number {
  return digits === '' ? before : Math.min(max, Math.max(min, Number(digits)));
}
