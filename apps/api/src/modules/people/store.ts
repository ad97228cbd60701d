import type { ListedPerson, listPeople, Person } from '@sendlap/contract/server-management/people.ts';
import type { ParsedRequest } from '@sendlap/contract/wire/endpoint.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import { type RawBuilder, sql } from 'kysely';
import { OWN_ISSUER_KEY } from '#api/accounts/identity.ts';
import { ACCOUNT_STATE } from '#api/database/account-state.ts';
import type { Database } from '#api/database/database.ts';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
import { isInForce } from '#api/database/referee-in-force.ts';

type Query = ParsedRequest<typeof listPeople>['query'];
type ListedRow = Omit<ListedPerson, 'created_at'> & { id: string; created_at: Date };

/** Of a user `u`. */
const IS_OPERATOR = sql<boolean>`exists (select from operators o where o.user_id = u.id)`;

function isReferee(now: Date): RawBuilder<boolean> {
  return sql`exists (select from referees r where r.user_id = u.id and ${isInForce(now)})`;
}

/**
 * Lists users, newest first, one more than `limit` if there are more. `cursor`: the id of the last one of the page
 * before.
 */
export async function listUsers(
  database: Database,
  { q, only, limit, cursor }: Query,
  now: Date,
): Promise<ListedRow[]> {
  const conditions = [sql`u.id <> ${DELETED_USER_ID}`];
  const text = q?.trim() ?? '';
  if (text !== '') {
    const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
    conditions.push(sql`(u.name ilike ${pattern} or u.public_id ilike ${pattern} or lower(u.email) = lower(${text}))`);
  }
  if (only === 'operators') conditions.push(IS_OPERATOR);
  if (only === 'referees') conditions.push(isReferee(now));
  if (only === 'suspended') conditions.push(sql`u.suspended_at is not null`);
  if (cursor !== undefined)
    conditions.push(sql`(u.created_at, u.id) < (select c.created_at, c.id from users c where c.id = ${cursor})`);
  const { rows } = await sql<ListedRow>`
    select u.id, u.public_id, u.name, u.created_at, ${ACCOUNT_STATE} as state, ${IS_OPERATOR} as is_operator,
      ${isReferee(now)} as is_referee
    -- Rights are looked up for those of the page, not for all.
    from (
      select * from users u where ${sql.join(conditions, sql` and `)}
      order by u.created_at desc, u.id desc limit ${limit + 1}) u
    order by u.created_at desc, u.id desc`.execute(database);
  return rows;
}

export interface PersonRow extends ListedRow {
  email: string;
  erase_after: Date | null;
  /** Of the own provider. */
  account_id: string | null;
}

export async function findPerson(database: Database, public_id: string, now: Date): Promise<PersonRow | undefined> {
  const { rows } = await sql<PersonRow>`
    select u.id, u.public_id, u.name, u.email, u.created_at, u.erase_after, ${ACCOUNT_STATE} as state,
      ${IS_OPERATOR} as is_operator, ${isReferee(now)} as is_referee, (
        select p.id from identities i join provider_accounts p on p.id::text = i.subject
        where i.user_id = u.id and i.issuer = ${OWN_ISSUER_KEY}) as account_id
    from users u where u.public_id = ${public_id} and u.id <> ${DELETED_USER_ID}`.execute(database);
  return rows[0];
}

/** The user's rights as a referee in force, by the names of the centers. */
export async function listRefereeRights(database: Database, user_id: string, now: Date): Promise<Person['referee_at']> {
  const { rows } = await sql<{ id: string; name: string; sport_types: Sport[]; valid_until: Date | null }>`
    select c.id, c.name, array_agg(distinct sport order by sport) as sport_types,
      case when bool_or(r.valid_until is null) then null else max(r.valid_until) end as valid_until
    from referees r join sport_centers c on c.id = r.sport_center_id, unnest(r.sport_types) sport
    where r.user_id = ${user_id} and ${isInForce(now)}
    group by c.id order by lower(c.name), c.id`.execute(database);
  return rows.map(({ id, name, sport_types, valid_until }) => ({
    sport_center_id: id,
    sport_center_name: name,
    sport_types,
    valid_until: valid_until?.toISOString() ?? null,
  }));
}
