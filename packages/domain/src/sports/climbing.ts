import type { SportRecord } from './sport-record.ts';

export const CLIMBING = {
  name: 'climbing',
  code_number: 1,
  search_words: [
    ...['climb', 'climbs', 'climbing', 'climber', 'boulder', 'boulders', 'bouldering'],
    ...['escalar', 'escalada', 'rocodromo', 'rocodromos', 'bulder'],
  ],
  // METs in thousandths, from the 2024 Adult Compendium of Physical Activities: 15537, 15535, 15534.
  active: { easy: 5800, moderate: 7300, hard: 8800 },
  rest: 2500,
  active_percent: 30,
  distance: null,
  week: { count: 'climbs', metres: null, longest_minutes: 'longest_climb_minutes' },
} as const satisfies SportRecord;
