import { defaultUserName } from '@sendlap/domain/names.ts';
import type { Selectable } from 'kysely';
import type { Identity } from '#api/accounts/identity.ts';
import type { Database } from '#api/database/database.ts';
import type { Tables } from '#api/database/tables.ts';

type BodyData = Pick<Selectable<Tables['bio_info']>, 'age' | 'weight_kg' | 'height_cm'>;
/** With the body data of bio info; null without bio info. */
export type UserRow = Selectable<Tables['users']> & { [Name in keyof BodyData]: BodyData[Name] | null };
/** `recheck`: checks again whether this person may have an account, in the transaction that creates it. */
export type NewIdentity = Pick<Identity, 'issuer' | 'subject' | 'recheck'>;
type NewUser = Pick<UserRow, 'id' | 'public_id' | 'email' | 'name' | 'display_name'>;

export function createUserStore(database: Database) {
  return {
    findById: (id: string) => usersWithBody(database).where('users.id', '=', id).executeTakeFirst(),

    findByPublicId: (public_id: string) =>
      usersWithBody(database).where('public_id', '=', public_id).executeTakeFirst(),

    findByIdentity: (issuer: string, subject: string) =>
      usersWithBody(database)
        .innerJoin('identities', 'identities.user_id', 'users.id')
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .executeTakeFirst(),

    /**
     * Creates both rows or none. Throws PostgreSQL's 23505 if the identity or the public id exists, and the errors of
     * `recheck`.
     */
    createWithIdentity: (user: NewUser, { issuer, subject, recheck }: NewIdentity): Promise<UserRow> =>
      database.transaction().execute(async (trx) => {
        await recheck?.(trx);
        const row = await trx.insertInto('users').values(user).returningAll().executeTakeFirstOrThrow();
        await trx.insertInto('identities').values({ issuer, subject, user_id: row.id }).execute();
        return { ...row, age: null, weight_kg: null, height_cm: null };
      }),

    /** Updates the user from the provider's claims; undefined if nothing changes. */
    async updateFromProvider(
      user: UserRow,
      claims: { email: string; name: string | undefined },
    ): Promise<UserRow | undefined> {
      const email = claims.email || user.email;
      const name = nameFromProvider(user, { email, name: claims.name });
      if (email === user.email && name === user.name) return undefined;
      const { numUpdatedRows } = await database
        .updateTable('users')
        // Checked again in the statement: the person may be choosing a name concurrently.
        .set((eb) => ({
          email,
          name: eb.case().when('display_name', 'is', null).then(name).else(eb.ref('name')).end(),
        }))
        .where('id', '=', user.id)
        .executeTakeFirst();
      return numUpdatedRows === 0n
        ? undefined
        : usersWithBody(database).where('users.id', '=', user.id).executeTakeFirst();
    },
  };
}

function usersWithBody(database: Database) {
  return database
    .selectFrom('users')
    .leftJoin('bio_info', 'bio_info.user_id', 'users.id')
    .selectAll('users')
    .select(['bio_info.age', 'bio_info.weight_kg', 'bio_info.height_cm']);
}

/** A name chosen here stays; a default derived from the e-mail address is derived again. */
function nameFromProvider(user: UserRow, claims: { email: string; name: string | undefined }): string {
  if (user.display_name !== null) return user.name;
  const is_default_name = user.name === defaultUserName({ name: undefined, email: user.email });
  return claims.name !== undefined || is_default_name ? defaultUserName(claims) : user.name;
}
