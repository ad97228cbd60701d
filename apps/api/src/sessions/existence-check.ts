import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { PREPARED } from '../database/statement-pipeline.ts';
import { AppError } from '../platform/errors.ts';
import type { VerifiedClaims } from './access-tokens.ts';

type ClaimedSession = Pick<VerifiedClaims, 'session_id' | 'user_id'>;

interface ExistenceCheck {
  /** Throws `unauthenticated` if the database does not have the session of these claims. */
  check(claims: ClaimedSession): Promise<void>;
  /** Returns true if these claims were already checked. */
  isChecked(claims: ClaimedSession): boolean;
}

/**
 * Checks that the session of a signed token was created in this database: another one may have had the same keys, such
 * as a copy, or this one before a restore. Queries once per access token and node, as long as the claims object is the
 * same.
 */
export function createExistenceCheck(database: Database): ExistenceCheck {
  /** The running check, then true. */
  const checked = new WeakMap<ClaimedSession, Promise<void> | true>();

  async function assertExists({ session_id, user_id }: ClaimedSession): Promise<void> {
    const { rows } = await sql`${PREPARED}
      select id from sessions where id = ${session_id} and user_id = ${user_id}`.execute(database);
    if (rows.length === 0)
      throw new AppError('unauthenticated', 'This session is not known here, please sign in again');
  }

  function assertExistsOnce(claims: ClaimedSession): Promise<void> {
    const running_check = assertExists(claims).then(
      () => void checked.set(claims, true),
      (error: unknown) => {
        checked.delete(claims);
        throw error;
      },
    );
    checked.set(claims, running_check);
    return running_check;
  }

  return {
    isChecked: (claims) => checked.get(claims) === true,

    async check(claims) {
      await (checked.get(claims) ?? assertExistsOnce(claims));
    },
  };
}
