import { type RawBuilder, sql } from 'kysely';

/**
 * SQL of whether two users have each used one installation since then: each had a key of it that was not revoked, or
 * only later. A user who once signed in on a club's tablet shares it for a while, not for ever.
 */
export function sharesInstallation(one_id: RawBuilder<unknown>, other_id: RawBuilder<unknown>, since: Date) {
  const usedSince = (device: string) => sql`coalesce(${sql.ref(`${device}.revoked_at`)}, 'infinity') >= ${since}`;
  return sql<boolean>`exists (
    select from devices one join devices other using (installation_id)
    where one.user_id = ${one_id} and other.user_id = ${other_id}
      and ${usedSince('one')} and ${usedSince('other')})`;
}
