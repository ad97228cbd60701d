import { openOperator } from '../apps/api/test/operator.ts';
import type { Athlete } from './athlete.ts';
import type { Server } from './server.ts';

export async function countSubscriptions(server: Server, athlete: Athlete): Promise<number> {
  return (await readSessions(server, athlete)).length;
}

/** Of which sessions the subscriptions of somebody are. */
export async function readSessions(server: Server, { email }: Athlete): Promise<string[]> {
  const operator = await openOperator(server);
  try {
    const rows = await operator.database
      .selectFrom('push_subscriptions')
      .innerJoin('users', 'users.id', 'push_subscriptions.user_id')
      .where('email', '=', email)
      .select('session_id')
      .execute();
    return rows.map(({ session_id }) => session_id);
  } finally {
    await operator.close();
  }
}

/** Removes the subscriptions of somebody, as newer browsers of theirs do. */
export async function removeSubscriptions(server: Server, { email }: Athlete): Promise<void> {
  const operator = await openOperator(server);
  try {
    const owner = operator.database.selectFrom('users').select('id').where('email', '=', email);
    await operator.database.deleteFrom('push_subscriptions').where('user_id', '=', owner).execute();
  } finally {
    await operator.close();
  }
}

/** Of the only chat that somebody has. */
export async function findChatId(server: Server, { email }: Athlete): Promise<string> {
  const operator = await openOperator(server);
  try {
    const { id } = await operator.database
      .selectFrom('chats')
      .innerJoin('users', (join) =>
        join.on((eb) => eb.or([eb('users.id', '=', eb.ref('user_low')), eb('users.id', '=', eb.ref('user_high'))])),
      )
      .where('email', '=', email)
      .select('chats.id')
      .executeTakeFirstOrThrow();
    return id;
  } finally {
    await operator.close();
  }
}
