/** What must occur in the worlds of a run, or they prove little. */
export const SIGHTS = ['dropped', 'cut', 'duplicated', 'portal', 'crash', 'crash while sending', 'other user'] as const;
export type Sight = (typeof SIGHTS)[number];
