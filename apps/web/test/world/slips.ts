/** One protection taken away. */
export const SLIPS = [
  'no idempotency key',
  'saved before written',
  'sent as any user',
  'rotation without proof',
  'clock not corrected',
] as const;
export type Slip = (typeof SLIPS)[number];

/** Hardships in which the app still does damage: each is played apart until the app is mended, then in all worlds. */
export const OPEN_HARDSHIPS = [
  /** Local storage may go back 30 s further than IndexedDB. */
  'late local storage',
  /** The user signs in again while an answer from before the sign-out is still under way. */
  'sign-in right after a sign-out',
] as const;
export type Hardship = (typeof OPEN_HARDSHIPS)[number];
