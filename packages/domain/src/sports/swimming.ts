import type { SportRecord } from './sport-record.ts';

export const SWIMMING = {
  name: 'swimming',
  code_number: 2,
  search_words: [
    ...['swim', 'swims', 'swimming', 'swimmer', 'pool', 'pools'],
    ...['nadar', 'natacion', 'piscina', 'piscinas'],
  ],
  // METs in thousandths, from the 2011 Compendium of Physical Activities: 18240, 18290, 18230.
  active: { easy: 5800, moderate: 8300, hard: 9800 },
  rest: 2000,
  active_percent: 85,
  distance: {
    max_m: 100_000,
    // The world record over 100 m freestyle (46.40 s in a 50 m pool, 2024) is 129 m/min.
    max_m_per_minute: 140,
    // In tenths of m/min: 30 m/min, and 50 and 75 yards/min.
    paces: [
      { pace: 300, met: 5800 },
      { pace: 457, met: 8300 },
      { pace: 686, met: 10_000 },
    ],
  },
  week: { count: 'swims', metres: 'swum_m', longest_minutes: null },
} as const satisfies SportRecord;
