import { randomUUID } from 'node:crypto';
import { openOperator } from '../../apps/api/test/app/operator.ts';
import type { Server } from '../server/server.ts';
import type { Athlete } from './athlete.ts';

const DAY_MS = 86_400_000;

/** Makes two athletes friends as of two days ago: only friends of some time may confirm an activity. */
export async function befriend(
  server: Server,
  one: Pick<Athlete, 'email'>,
  other: Pick<Athlete, 'email'>,
): Promise<void> {
  const operator = await openOperator(server);
  try {
    const { database } = operator;
    const emails = [one.email, other.email];
    const people = await database.selectFrom('users').select('id').where('email', 'in', emails).execute();
    const [user_low = '', user_high = ''] = people.map(({ id }) => id).sort();
    const created_at = new Date(Date.now() - 2 * DAY_MS);
    await database.insertInto('friendships').values({ id: randomUUID(), user_low, user_high, created_at }).execute();
  } finally {
    await operator.close();
  }
}
