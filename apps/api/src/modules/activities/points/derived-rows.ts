import type { Trx } from '#api/database/database.ts';
import { badgeAwards } from '#api/modules/badges/service.ts';
import { boardScores } from '#api/modules/leaderboards/service.ts';
import { athleteWeeks } from '#api/modules/stats/service.ts';
import type { ActivityRow } from '../record/store.ts';

/** A derived row: computed only from an athlete's activities and ledger, so it can be rebuilt. */
export interface DerivedDifference {
  /**
   * `athlete_week`: points of an athlete's week; equal if only other columns differ. `badge`: reached but not awarded
   * (0 instead of 1).
   */
  what: 'board' | 'athlete_week' | 'badge';
  is: number;
  should_be: number;
}

/** `rows`: all activities of the user. */
export async function compareDerived(
  trx: Trx,
  user_id: string,
  rows: ActivityRow[],
  at: Date,
): Promise<DerivedDifference[]> {
  const validated = rows.filter(({ status }) => status === 'validated');
  const boards = await boardScores.compare(trx, user_id, validated, at);
  const weeks = await athleteWeeks.compare(trx, user_id, validated);
  const badges = await badgeAwards.compare(trx, user_id, athleteWeeks.of(validated));
  return [
    ...boards.map((difference) => ({ ...difference, what: 'board' as const })),
    ...weeks.map((difference) => ({ ...difference, what: 'athlete_week' as const })),
    ...badges.map(() => ({ what: 'badge' as const, is: 0, should_be: 1 })),
  ];
}

/**
 * Writes the differing rows; the caller holds the lock of the user's row. Returns the numbers of weeks and of changed
 * rows.
 */
export async function rebuildDerived(
  trx: Trx,
  user_id: string,
  rows: ActivityRow[],
  at: Date,
): Promise<{ weeks: number; changed: number }> {
  const validated = rows.filter(({ status }) => status === 'validated');
  const boards = await boardScores.rebuild(trx, user_id, validated, at);
  const weeks = await athleteWeeks.rebuild(trx, user_id, validated);
  const badges = await badgeAwards.rebuild(trx, user_id, athleteWeeks.of(validated), at);
  return { weeks: boards.weeks, changed: boards.changed + weeks + badges };
}
