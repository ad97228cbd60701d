import type { Database } from '../database/database.ts';
import { AppError } from '../platform/errors.ts';
import type { VerifiedClaims } from './access-tokens.ts';

type Claimed = Pick<VerifiedClaims, 'session_id' | 'user_id'>;

interface SessionExistence {
  /** Throws `unauthenticated` for claims of a session that the database does not have. */
  check(claims: Claimed): Promise<void>;
  /** Whether these claims were checked already. */
  isDone(claims: Claimed): boolean;
}

/**
 * Whether the session of a signed token was ever made in this database: another one may have had the same keys, such as a
 * copy, or this one before it was restored. One look per access token and node, as long as the same claims object comes
 * back.
 */
export function createSessionExistence(database: Database): SessionExistence {
  /** The look while it runs, then true. */
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
