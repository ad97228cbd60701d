import { SPORT_LOOKS } from './sport-look.ts';

const LOOKS = Object.values(SPORT_LOOKS);

export type SportTone = (typeof LOOKS)[number]['tone'];
export const SPORT_TONES: readonly SportTone[] = LOOKS.map(({ tone }) => tone);
/** Classes of a filled control, by tone. */
export const SPORT_FILLS = byTone(({ fill }) => fill);
/** Classes of a pale surface, by tone. */
export const SPORT_TINTS = byTone(({ tint }) => tint);
/** Classes of a pale surface with text, by tone. */
export const SPORT_LABELS = byTone(({ tint, ink }) => `${tint} ${ink}`);

function byTone(read: (look: (typeof LOOKS)[number]) => string): Record<SportTone, string> {
  return Object.fromEntries(LOOKS.map((look) => [look.tone, read(look)])) as Record<SportTone, string>;
}
