/** One protection taken away. */
export const MISTAKES = [
  'no idempotency key',
  'saved before written',
  'sent as any user',
  'rotation without proof',
  'clock not corrected',
  'two runners',
] as const;
export type Mistake = (typeof MISTAKES)[number];
