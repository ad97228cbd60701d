/** What must occur in the worlds of a run, or they prove little. */
export const SIGHTS = [
  'dropped',
  'cut',
  'duplicated',
  'late',
  'portal',
  'offline',
  'crash',
  'crash while saving',
  'crash between write and answer',
  'crash of a session',
  'older token with its proof',
  'browser wrote late',
  'rotation',
  'proof of a wrong clock',
  'question of time',
  'sign-out',
  'sign-out without an answer',
  'other user',
  'second phone',
  'both offline',
  'dead letter',
  'referee',
  'orphan scan joined',
  'reversal',
] as const;
export type Sight = (typeof SIGHTS)[number];
export type See = (sight: Sight) => void;
