import type { Recap } from '@sendlap/contract/stats.ts';
import { activityOf } from './activity-model.ts';
import { POOL } from './pool.ts';

const WEEK = { key: '2026-W47', time_zone: 'Europe/Madrid' };

/** Of an account without a confirmed activity. */
export const NO_RECAP: Recap = {
  lifetime_points: 0,
  week: WEEK,
  last_week: null,
  season: null,
  best_week: null,
  bests: [],
};

/** The activity behind every personal best of `RECAP`. */
export const RECAP_SWIM = activityOf(1, POOL, { status: 'validated', validation: 'referee', points: 331 });
const { client_id, sport_center_name } = RECAP_SWIM;
const CLIMB = { sport_type: 'climbing', client_id, sport_center_name, local_date: '2026-03-20' } as const;
const SWIM = { sport_type: 'swimming', client_id, sport_center_name, local_date: '2026-04-10' } as const;
const LAST_WEEK = { key: '2026-W46', starts_on: '2026-11-09', ends_on: '2026-11-15', points: 678 };

export const RECAP: Recap = {
  lifetime_points: 1465,
  week: WEEK,
  last_week: {
    ...LAST_WEEK,
    active_days: 2,
    sports: [
      { sport_type: 'climbing', activities: 1, metres: null },
      { sport_type: 'swimming', activities: 2, metres: 2000 },
    ],
  },
  season: {
    key: '2026-Q4',
    starts_on: '2026-09-28',
    ends_on: '2027-01-03',
    points: 1009,
    active_days: 1,
    sports: [{ sport_type: 'swimming', activities: 1, metres: 0 }],
  },
  best_week: LAST_WEEK,
  bests: [
    { measure: 'points', value: 473, ...CLIMB },
    { measure: 'minutes', value: 120, ...CLIMB },
    { measure: 'minutes', value: 60, ...SWIM },
    { measure: 'metres', value: 2000, ...SWIM },
  ],
};
