import type { Trx } from '../database/database.ts';
import type { Session } from './sessions.ts';

/**
 * Locks the user, so that concurrent registrations of one user are counted one after the other, and the session, so
 * that its end finds every row registered under it. Returns false if the session is over.
 */
export async function lockSession(trx: Trx, { user_id, session_id }: Session): Promise<boolean> {
  await trx.selectFrom('users').select('id').where('id', '=', user_id).forNoKeyUpdate().execute();
  const session = await trx
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', session_id)
    .where('ended_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  return session !== undefined;
}
