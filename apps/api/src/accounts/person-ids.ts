import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../database/database.ts';
import { DELETED_USER_ID } from '../database/deleted-user.ts';
import type { Link, PersonalTable } from '../database/personal-data.ts';
import { OWN_ISSUER_KEY } from './identity.ts';

/** A user and all ids by which other tables refer to that user. */
export interface PersonIds {
  user: string;
  sessions: string[];
  /** Accounts of our own provider. */
  accounts: string[];
  /** Chats in which the user takes part. */
  chats: string[];
}

/** Finds all ids of a user. An erasure must call it before it deletes anything. */
export async function findPersonIds(trx: Trx, user_id: string): Promise<PersonIds> {
  const sessions = await trx.selectFrom('sessions').select('id').where('user_id', '=', user_id).execute();
  const accounts = await trx
    .selectFrom('identities')
    .select('subject')
    .where('user_id', '=', user_id)
    .where('issuer', '=', OWN_ISSUER_KEY)
    .execute();
  const chats = await trx
    .selectFrom('chats')
    .select('id')
    .where((eb) => eb.or([eb('user_low', '=', user_id), eb('user_high', '=', user_id)]))
    .execute();
  return {
    user: user_id,
    sessions: sessions.map((row) => row.id),
    accounts: accounts.map((row) => row.subject),
    chats: chats.map((row) => row.id),
  };
}

/** SQL condition: this link of the row refers to the person. */
export function linkRefersTo(link: Link, person_ids: PersonIds): RawBuilder<boolean> {
  return columnHoldsIdOf(link, person_ids) as RawBuilder<boolean>;
}

/** SQL condition: the row refers to the person by at least one link that the person may see. */
export function rowRefersTo({ links }: PersonalTable, person_ids: PersonIds): RawBuilder<boolean> {
  const readable = links.filter(({ is_hidden }) => !is_hidden);
  return sql<boolean>`(${sql.join(
    readable.map((link) => linkRefersTo(link, person_ids)),
    sql` or `,
  )})`;
}

/**
 * Returns the row as JSON for this person's export: without secrets, and with the deleted user in place of other users.
 * The row must be selected as `t`.
 */
export function exportedRow({ links, secret_columns = [] }: PersonalTable, person_ids: PersonIds): RawBuilder<string> {
  const redactions = links.map((link) => {
    const redacted = JSON.stringify({ [link.column]: DELETED_USER_ID, ...link.private_values });
    return sql`case when not ${columnHoldsIdOf(link, person_ids)} then ${redacted}::jsonb else '{}' end`;
  });
  return sql<string>`((to_jsonb(t) - ${secret_columns}::text[]) || ${sql.join(redactions, sql` || `)})::text`;
}

function columnHoldsIdOf({ column, refers_to }: Link, person_ids: PersonIds): RawBuilder<unknown> {
  const value = sql.ref(column);
  if (refers_to === 'user') return sql`${value} = ${person_ids.user}`;
  if (refers_to === 'session') return sql`${value} = any(${person_ids.sessions}::uuid[])`;
  if (refers_to === 'chat') return sql`${value} = any(${person_ids.chats}::uuid[])`;
  return sql`${value} = any(${person_ids.accounts}::uuid[])`;
}
