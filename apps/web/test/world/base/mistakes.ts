/** One protection taken away. */
export const SLIPS = [
  'no idempotency key',
  'saved before written',
  'sent as any user',
  'rotation without proof',
  'clock not corrected',
  'two runners',
] as const;
export type Slip = (typeof SLIPS)[number];
