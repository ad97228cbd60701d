import { allotDay, RULE_VERSION, type Score, scoreActivity } from '@sendlap/domain/scoring.ts';
import type { Trx } from '#api/platform/database.ts';
import { type ActivityRow, appendLedger, type LedgerEntry, listValidatedOfDay, updateActivity } from './store.ts';

/**
 * Shares the day's 240 minutes out again among the user's validated activities of a local day and books every
 * difference to the ledger, so that the order in which proofs arrive never matters.
 */
export async function rescoreDay(trx: Trx, user_id: string, local_date: string, validated_now: string): Promise<void> {
  const rows = await listValidatedOfDay(trx, user_id, local_date);
  const allotted = allotDay(
    rows.map((row) => ({ id: row.id, started_at: row.started_at.getTime(), minutes: wholeMinutes(row) })),
  );
  const entries: LedgerEntry[] = [];
  for (const row of rows) {
    const score = scoreRow(row, allotted.get(row.id) ?? 0);
    const difference = score.points - row.points;
    if (difference === 0 && row.counted_minutes === score.counted_minutes) continue;
    await updateActivity(trx, row, { points: score.points, counted_minutes: score.counted_minutes });
    entries.push({
      user_id,
      activity_id: row.id,
      kind: row.id === validated_now ? 'validation' : 'allotment',
      points: difference,
      rule_version: RULE_VERSION,
      inputs: inputsOf(row, score),
    });
  }
  await appendLedger(trx, entries);
}

function scoreRow(row: ActivityRow, counted_minutes: number): Score {
  return scoreActivity({
    sport_type: row.sport_type,
    started_at: row.started_at.getTime(),
    ended_at: (row.ended_at ?? row.started_at).getTime(),
    intensity: row.intensity,
    intensity_confirmed: row.intensity_confirmed,
    distance_m: row.distance_m,
    counted_minutes,
  });
}

function wholeMinutes(row: ActivityRow): number {
  return Math.floor(((row.ended_at ?? row.started_at).getTime() - row.started_at.getTime()) / 60_000);
}

/** All that is needed to compute the entry again. */
function inputsOf(row: ActivityRow, score: Score): object {
  return {
    sport_type: row.sport_type,
    started_at: row.started_at.toISOString(),
    ended_at: row.ended_at?.toISOString(),
    intensity: row.intensity,
    intensity_confirmed: row.intensity_confirmed,
    distance_m: row.distance_m,
    score,
  };
}
