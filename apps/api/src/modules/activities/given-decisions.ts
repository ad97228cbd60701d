import type { GivenDecision } from '@sendlap/contract/decisions.ts';
import { DEFAULT_DISPLAY_NAME } from '@sendlap/domain/names.ts';
import type { Database } from '#api/database/database.ts';
import { withdrawableUntil } from './ops/withdraw-decision.ts';
import { isAfterCursor, pageOf } from './record/paging.ts';
import type { ActivityRow, DecisionRow, Facts } from './record/store.ts';

export interface Paging {
  limit: number;
  cursor?: string | undefined;
}

/** Lists a scanner's decisions about others' activities, newest first. Throws `cursor_invalid`. */
export async function listGivenDecisions(
  database: Database,
  scanner_id: string,
  { limit, cursor }: Paging,
  now: Date,
): Promise<{ items: GivenDecision[]; next_cursor: string | null }> {
  const rows = await database
    .selectFrom('decisions')
    .innerJoin('activities', (join) =>
      join
        .onRef('activities.user_id', '=', 'decisions.athlete_id')
        .onRef('activities.id', '=', 'decisions.activity_id'),
    )
    .select([
      'decisions.id',
      'op_id',
      'method',
      'decision',
      'scanned_at',
      'received_at',
      'decided_at',
      'withdrawn_at',
      'facts',
    ])
    .select(['activities.id as client_id', 'activities.decision_id'])
    .select(['activities.edited_at', 'activities.appealed_at'])
    // Not a join: with it PostgreSQL reads all activities of each athlete.
    .select(({ selectFrom }) =>
      selectFrom('users').select('display_name').whereRef('users.id', '=', 'athlete_id').as('display_name'),
    )
    .where('scanner_id', '=', scanner_id)
    .where('op_id', 'is not', null)
    .where(isAfterCursor(cursor, 'received_at', 'decisions.id'))
    .orderBy('received_at', 'desc')
    .orderBy('decisions.id', 'desc')
    .limit(limit + 1)
    .execute();
  const { shown, next_cursor } = pageOf(rows, limit, ({ received_at: at, id }) => ({ at, id }));
  const items = shown.map((row): GivenDecision => {
    const facts = row.facts as Facts;
    const is_in_force = row.decision_id === row.id;
    return {
      op_id: row.op_id ?? row.id,
      client_id: row.client_id,
      method: row.method === 'peer' ? 'peer' : 'referee',
      decision: row.decision,
      outcome: outcomeOf(row, is_in_force),
      athlete: row.display_name ?? DEFAULT_DISPLAY_NAME,
      sport_type: facts.sport_type,
      sport_center_name: facts.sport_center_name,
      started_at: new Date(facts.started_at).toISOString(),
      ended_at: new Date(facts.ended_at ?? facts.started_at).toISOString(),
      scanned_at: row.scanned_at.toISOString(),
      can_withdraw: is_in_force && now.getTime() <= withdrawableUntil(row.decided_at),
    };
  });
  return { items, next_cursor };
}

type DecisionTimeline = Pick<DecisionRow, 'decision' | 'scanned_at' | 'withdrawn_at'> &
  Pick<ActivityRow, 'edited_at' | 'appealed_at'>;

function outcomeOf(one: DecisionTimeline, is_in_force: boolean): GivenDecision['outcome'] {
  if (one.withdrawn_at) return 'withdrawn';
  if (is_in_force) return 'in_force';
  const superseded_at = one.decision === 'confirm' ? one.edited_at : one.appealed_at;
  if (superseded_at === null || one.scanned_at >= superseded_at) return 'overtaken';
  return one.decision === 'confirm' ? 'edited' : 'appealed';
}
