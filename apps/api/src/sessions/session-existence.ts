import type { Database } from '../database/database.ts';
import { AppError } from '../platform/errors.ts';
import type { VerifiedClaims } from './access-tokens.ts';

type Claimed = Pick<VerifiedClaims, 'session_id' | 'user_id'>;

interface SessionExistence {
  /** Throws `unauthenticated` if the database does not have the session of these claims. */
  check(claims: Claimed): Promise<void>;
  /** Returns true if these claims were already checked. */
  isDone(claims: Claimed): boolean;
}

/**
 * Checks that the session of a signed token was created in this database: another one may have had the same keys, such
 * as a copy, or this one before a restore. Queries once per access token and node, as long as the claims object is the
 * same.
 */
export function createSessionExistence(database: Database): SessionExistence {
  /** The running check, then true. */
  const checked = new WeakMap<Claimed, Promise<void> | true>();

  async function look({ session_id, user_id }: Claimed): Promise<void> {
    const found = await database
      .selectFrom('sessions')
      .select('id')
      .where('id', '=', session_id)
      .where('user_id', '=', user_id)
      .executeTakeFirst();
    if (!found) throw new AppError('unauthenticated', 'This session is not known here, please sign in again');
  }

  function lookOnce(claims: Claimed): Promise<void> {
    const looking = look(claims).then(
      () => void checked.set(claims, true),
      (error: unknown) => {
        checked.delete(claims);
        throw error;
      },
    );
    checked.set(claims, looking);
    return looking;
  }

  return {
    isDone: (claims) => checked.get(claims) === true,

    async check(claims) {
      await (checked.get(claims) ?? lookOnce(claims));
    },
  };
}
