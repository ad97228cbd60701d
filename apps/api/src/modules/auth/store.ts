import { type Selectable, sql } from 'kysely';
import type { Database } from '#api/database/database.ts';
import type { Tables } from '#api/database/tables.ts';

export type SignInAttempt = Selectable<Tables['sign_in_attempts']>;

const SWEEP_ROWS = 100;

export function createSignInAttemptStore(database: Database) {
  return {
    /** Also deletes a few expired ones. */
    async insert(attempt: SignInAttempt): Promise<void> {
      await sql`
        delete from sign_in_attempts where ctid in (
          select ctid from sign_in_attempts where expires_at < ${new Date()} limit ${SWEEP_ROWS}
        )`.execute(database);
      await database.insertInto('sign_in_attempts').values(attempt).execute();
    },
    /** Removes and returns the attempt: it is valid for one use, even if that use fails. */
    take: (state_hash: Buffer) =>
      database.deleteFrom('sign_in_attempts').where('state_hash', '=', state_hash).returningAll().executeTakeFirst(),
  };
}
