import type { Trx } from '#api/database/database.ts';
import { findMissingBadges, rebuildBadges } from '#api/modules/badges/award.ts';
import { compareBoards, rebuildBoards } from '#api/modules/leaderboards/compare-boards.ts';
import { allWeeksOf, compareWeeks, rebuildWeeks } from '#api/modules/stats/athlete-weeks.ts';
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
  const boards = await compareBoards(trx, user_id, validated, at);
  const weeks = await compareWeeks(trx, user_id, validated);
  const badges = await findMissingBadges(trx, user_id, allWeeksOf(validated));
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
  const boards = await rebuildBoards(trx, user_id, validated, at);
  const weeks = await rebuildWeeks(trx, user_id, validated);
  const badges = await rebuildBadges(trx, user_id, allWeeksOf(validated), at);
  return { weeks: boards.weeks, changed: boards.changed + weeks + badges };
}
