import type { Selectable } from 'kysely';
import type { Database } from '#api/platform/database.ts';
import type { Tables } from '#api/platform/tables.ts';

export type UserRow = Selectable<Tables['users']>;
type NewUser = Pick<UserRow, 'id' | 'public_id' | 'email' | 'name' | 'display_name'>;

export interface UserStore {
  findById(id: string): Promise<UserRow | undefined>;
  findByPublicId(public_id: string): Promise<UserRow | undefined>;
  findByIdentity(issuer: string, subject: string): Promise<UserRow | undefined>;
  /** Both rows or none. Throws PostgreSQL's 23505 when the identity or the public id is there already. */
  createWithIdentity(user: NewUser, issuer: string, subject: string): Promise<UserRow>;
}

export function createUserStore(database: Database): UserStore {
  return {
    findById: (id) => database.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst(),

    findByPublicId: (public_id) =>
      database.selectFrom('users').selectAll().where('public_id', '=', public_id).executeTakeFirst(),

    findByIdentity: (issuer, subject) =>
      database
        .selectFrom('users')
        .innerJoin('identities', 'identities.user_id', 'users.id')
        .selectAll('users')
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .executeTakeFirst(),

    createWithIdentity: (user, issuer, subject) =>
      database.transaction().execute(async (trx) => {
        const row = await trx.insertInto('users').values(user).returningAll().executeTakeFirstOrThrow();
        await trx.insertInto('identities').values({ issuer, subject, user_id: row.id }).execute();
        return row;
      }),
  };
}
