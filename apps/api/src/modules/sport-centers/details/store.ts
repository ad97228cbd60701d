import { sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';
import type { EditableFacts } from '../edits/edits.ts';
import { facilityId } from '../import/read/source-ref.ts';
import { toSearchColumns } from '../search-columns.ts';

/** The texts of a center that a search needs besides the editable ones. */
interface SearchedFacts {
  city: string | null;
  other_names: string[];
  place_names: string[];
}

export interface DetailsRow extends SearchedFacts {
  version: number;
  in_force: EditableFacts & { pool_lengths_m: number[] };
  /** Of the fields that a manager set. */
  source_facts: Partial<EditableFacts>;
  attribution: string;
}

interface FlatRow extends EditableFacts, SearchedFacts {
  pool_lengths_m: number[];
  version: number;
  source_facts: Partial<EditableFacts>;
  attribution: string;
}

/** Returns a center's facts, closed or not. */
export async function readDetails(executor: Database | Trx, id: string): Promise<DetailsRow | undefined> {
  const { rows } = await sql<FlatRow>`
    select c.name, c.address, c.phone, c.url, c.is_private, c.city, c.other_names, c.place_names, c.attribution,
      array(select f.type from sport_facilities f where f.sport_center_id = c.id order by f.type) as sports,
      coalesce(e.version, 0) as version, coalesce(e.source_facts, '{}') as source_facts,
      coalesce(e.pool_lengths_m, '{}') as pool_lengths_m
    from sport_centers c left join center_edits e on e.sport_center_id = c.id where c.id = ${id}`.execute(executor);
  const [row] = rows;
  if (!row) return undefined;
  const { name, address, phone, url, is_private, sports, pool_lengths_m, ...rest } = row;
  return { ...rest, in_force: { name, address, phone, url, is_private, sports, pool_lengths_m } };
}

interface SavedFacts extends SearchedFacts {
  version: number;
  in_force: EditableFacts;
  facts: Partial<EditableFacts>;
  source_facts: Partial<EditableFacts>;
  pool_lengths_m: number[];
}

/** Writes the facts in force and the edits. The center must be locked. */
export async function saveFacts(trx: Trx, id: string, { in_force, ...row }: SavedFacts): Promise<void> {
  const { version, pool_lengths_m, city, other_names, place_names } = row;
  const edits = {
    version,
    facts: JSON.stringify(row.facts),
    source_facts: JSON.stringify(row.source_facts),
    pool_lengths_m,
  };
  await trx
    .insertInto('center_edits')
    .values({ sport_center_id: id, ...edits })
    .onConflict((conflict) => conflict.column('sport_center_id').doUpdateSet(edits))
    .execute();
  const { sports, ...columns } = in_force;
  await trx
    .updateTable('sport_centers')
    .set({ ...columns, ...toSearchColumns({ ...columns, city, other_names }, place_names), updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
  await trx.deleteFrom('sport_facilities').where('sport_center_id', '=', id).where('type', 'not in', sports).execute();
  await trx
    .insertInto('sport_facilities')
    .values(sports.map((type) => ({ id: facilityId(id, type), sport_center_id: id, type })))
    .onConflict((conflict) => conflict.columns(['sport_center_id', 'type']).doNothing())
    .execute();
}
