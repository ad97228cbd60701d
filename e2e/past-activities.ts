import { randomUUID } from 'node:crypto';
import { openOperator } from '../apps/api/test/operator.ts';
import { addDays, isoWeekKey } from '../packages/domain/src/dates.ts';
import type { Server } from './server.ts';

const DAY_MS = 86_400_000;

/** Gives an athlete with one finished activity the same on each of the days before, as a past that took months; its day. */
export async function repeatActivity(server: Server, name: string, days: number): Promise<string> {
  const operator = await openOperator(server);
  try {
    const { database } = operator;
    const activity = await database
      .selectFrom('activities')
      .innerJoin('users', 'users.id', 'activities.user_id')
      .selectAll('activities')
      .where('users.name', '=', name)
      .executeTakeFirstOrThrow();
    const earlier = (date: Date, number: number) => new Date(date.getTime() - number * DAY_MS);
    const past = Array.from({ length: days }, (_, index) => {
      const local_date = addDays(String(activity.local_date), -(index + 1));
      return {
        ...activity,
        declared: null,
        id: randomUUID(),
        local_date,
        week_key: isoWeekKey(local_date),
        started_at: earlier(activity.started_at, index + 1),
        ended_at: activity.ended_at && earlier(activity.ended_at, index + 1),
      };
    });
    await database.insertInto('activities').values(past).execute();
    return String(activity.local_date);
  } finally {
    await operator.close();
  }
}
