import { randomUUID } from 'node:crypto';
import { openOperator } from '../../apps/api/test/app/operator.ts';
import type { Server } from '../server/server.ts';
import type { Person } from './athlete.ts';

type Database = Awaited<ReturnType<typeof openOperator>>['database'];
type Email = Pick<Person, 'email'>;

const DAY_MS = 86_400_000;

/** Makes two people friends as of two days ago: only friends of some time may confirm an activity. */
export async function befriend(server: Server, one: Email, other: Email): Promise<void> {
  await write(server, async (database) => {
    const ids = await Promise.all([one, other].map((person) => idOf(database, person)));
    const [user_low = '', user_high = ''] = ids.sort();
    const created_at = new Date(Date.now() - 2 * DAY_MS);
    await database.insertInto('friendships').values({ id: randomUUID(), user_low, user_high, created_at }).execute();
  });
}

/** Sends a friend request that the receiver has not answered. */
export async function sendRequest(server: Server, sender: Email, receiver: Email): Promise<void> {
  await write(server, async (database) => {
    const [sender_id, receiver_id] = [await idOf(database, sender), await idOf(database, receiver)];
    await database.insertInto('friend_requests').values({ id: randomUUID(), sender_id, receiver_id }).execute();
  });
}

async function idOf(database: Database, { email }: Email): Promise<string> {
  const { id } = await database.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow();
  return id;
}

async function write(server: Server, run: (database: Database) => Promise<void>): Promise<void> {
  const operator = await openOperator(server);
  await run(operator.database).finally(operator.close);
}
