import type { Sport } from '@sendlap/domain/sports.ts';
import { sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';

/** The facts of a center that its managers may set, in place of those of its source. */
export interface EditableFacts {
  name: string;
  address: string | null;
  phone: string | null;
  url: string | null;
  is_private: boolean | null;
  sports: Sport[];
}
type FieldName = keyof EditableFacts;

/** What managers set, and what the source says of the same fields. */
export interface CenterEdits {
  facts: Partial<EditableFacts>;
  source_facts: Partial<EditableFacts>;
}

/** Returns the edits of those of the centers that have any, by id. */
export async function readEdits(executor: Database | Trx, ids: readonly string[]): Promise<Map<string, CenterEdits>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<CenterEdits & { sport_center_id: string }>`
    select sport_center_id, facts, source_facts from center_edits
    where sport_center_id = any(${ids}::uuid[]) and facts <> '{}'`.execute(executor);
  return new Map(rows.map(({ sport_center_id, ...edits }) => [sport_center_id, edits]));
}

/**
 * Locks centers against changes of their facts by others. Activities may still start there. The version comes first, as
 * each change of a center raises it: an edit and an import that lock it after a center would deadlock.
 */
export async function lockCenters(trx: Trx, ids: readonly string[]): Promise<void> {
  await sql`select from sport_center_version for no key update`.execute(trx);
  await sql`select id from sport_centers where id = any(${ids}::uuid[]) order by id for no key update`.execute(trx);
}

/**
 * Returns the centers with the facts in force: those of the managers, where there are any. Stores the given facts as
 * those of the source. Other edits wait until the transaction ends.
 */
export async function putEditsInForce<Center extends EditableFacts & { id: string }>(
  trx: Trx,
  centers: readonly Center[],
): Promise<Center[]> {
  const ids = centers.map(({ id }) => id);
  await lockCenters(trx, ids);
  const all_edits = await readEdits(trx, ids);
  const in_force: Center[] = [];
  for (const center of centers) {
    const edits = all_edits.get(center.id);
    if (edits) await saveSourceFacts(trx, center, Object.keys(edits.facts) as FieldName[]);
    in_force.push({ ...center, ...edits?.facts });
  }
  return in_force;
}

async function saveSourceFacts(trx: Trx, center: EditableFacts & { id: string }, fields: FieldName[]): Promise<void> {
  const source_facts = JSON.stringify(pick(center, fields));
  await trx.updateTable('center_edits').set({ source_facts }).where('sport_center_id', '=', center.id).execute();
}

/** Returns these fields of the facts. */
export function pick(facts: EditableFacts, fields: readonly FieldName[]): Partial<EditableFacts> {
  return Object.fromEntries(fields.map((field) => [field, facts[field]]));
}
