import { openOperator } from '../../apps/api/test/app/operator.ts';
import type { Server } from '../server/server.ts';
import type { Athlete } from './athlete.ts';

export async function countSubscriptions(server: Server, { email }: Athlete): Promise<number> {
  const operator = await openOperator(server);
  try {
    const rows = await operator.database
      .selectFrom('push_subscriptions')
      .innerJoin('users', 'users.id', 'push_subscriptions.user_id')
      .where('email', '=', email)
      .select('push_subscriptions.id')
      .execute();
    return rows.length;
  } finally {
    await operator.close();
  }
}

/** Returns the id of a user's only chat. */
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
