import { openOperator } from '../../apps/api/test/app/operator.ts';
import { addAthlete, tellOfScores, writeScore } from '../../apps/api/test/scenes/rank-rows.ts';
import { isoWeekKey, localDate } from '../../packages/domain/src/dates.ts';
import type { Server } from '../server/server.ts';
import { type Athlete, findCenterId } from './athlete.ts';
import { POOL } from './swimming.ts';

const ALL_CENTERS = '00000000-0000-0000-0000-000000000000';
const CROWD = 60;

/** Fills the board of this week: 60 athletes with 1,060 to 470 points before `athlete`, who has 465. Names the first. */
export async function fillBoard(server: Server, { email }: Pick<Athlete, 'email'>, first_name: string): Promise<void> {
  const operator = await openOperator(server);
  try {
    const { database } = operator;
    const everybody = {
      period: isoWeekKey(localDate(server.now(), 'UTC')),
      sport: 'all',
      sport_center_id: ALL_CENTERS,
    } as const;
    const write = (user_id: string, points: number, on = {}) =>
      writeScore(database, user_id, points, { ...everybody, ...on });
    const crowd = await Promise.all(Array.from({ length: CROWD }, () => addAthlete(database)));
    for (const [index, athlete_id] of crowd.entries()) await write(athlete_id, 1060 - 10 * index);
    await database
      .updateTable('users')
      .set({ display_name: first_name })
      .where('id', 'in', crowd.slice(0, 1))
      .execute();
    const { id } = await database.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow();
    await write(id, 465);
    await write(id, 465, { sport: 'climbing' });
    await write(id, 465, { sport_center_id: await findCenterId(server, POOL) });
    await tellOfScores(database);
  } finally {
    await operator.close();
  }
}
