/** Plausible ranges for an athlete, inclusive. Age in whole years. */
export const BIO_INFO_BOUNDS = {
  age: { min: 5, max: 120 },
  weight_kg: { min: 20, max: 400 },
  height_cm: { min: 60, max: 260 },
} as const;
