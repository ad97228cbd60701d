import Fastify from 'fastify';
import pg from 'pg';
import { openRespClient, type Reply } from './resp-client.ts';
import { answer } from './serve.ts';

/**
 * The peers: the same question answered by Redis (ZREVRANK, then ZREVRANGE) and by PostgreSQL (an index on the points
 * and count(*)) behind a bare Fastify, which checks no caller and knows no names. MEASURED_DATABASE_URL has the rows.
 */
export type PeerOrder = 'fill';

const REACH = 3;
const KEY = 'board';
const BATCH = 10_000;
const pool = new pg.Pool({ connectionString: process.env.MEASURED_DATABASE_URL, max: 8 });
// The bench may end PostgreSQL first.
pool.on('error', () => {});
const redis = openRespClient(process.env.MEASURED_REDIS_URL ?? '');

async function fill(): Promise<object> {
  const { rows } = await pool.query<{ user_id: string; points: number }>('select user_id, points from board_scores');
  await redis('DEL', KEY);
  for (let at = 0; at < rows.length; at += BATCH) {
    await redis('ZADD', KEY, ...rows.slice(at, at + BATCH).flatMap(({ user_id, points }) => [points, user_id]));
  }
  await pool.query('create index if not exists board_scores_by_points on board_scores (points)');
  await pool.query('analyze board_scores');
  return { members: rows.length };
}

const MORE = 'select count(*)::int as more from board_scores where points > $1';
const ABOVE = 'select user_id, points from board_scores where points > $1 order by points limit $2';
const BELOW = 'select user_id, points from board_scores where points <= $1 order by points desc limit $2';

const app = Fastify();
app.get<{ Params: { user: string } }>('/redis/:user', async ({ params: { user } }) => {
  const index = Number((await redis('ZREVRANK', KEY, user)) ?? 0);
  const range = [Math.max(0, index - REACH), index + REACH];
  const found = (await redis('ZREVRANGE', KEY, ...range, 'WITHSCORES')) as Reply[];
  const items = [];
  for (let at = 0; at < found.length; at += 2) items.push({ user: found[at], points: Number(found[at + 1]) });
  return { success: true, data: { rank: index + 1, items } };
});
app.get<{ Params: { user: string } }>('/count/:user', async ({ params: { user } }) => {
  const { rows: mine } = await pool.query('select points from board_scores where user_id = $1', [user]);
  const points = mine[0]?.points ?? 0;
  const [more, above, below] = await Promise.all([
    pool.query({ name: 'more', text: MORE, values: [points] }),
    pool.query({ name: 'above', text: ABOVE, values: [points, REACH] }),
    pool.query({ name: 'below', text: BELOW, values: [points, REACH + 1] }),
  ]);
  const items = [...above.rows.reverse(), ...below.rows];
  return { success: true, data: { rank: more.rows[0].more + 1, items } };
});
await app.listen({ port: 0, host: '127.0.0.1' });
const address = app.server.address();
process.on('disconnect', () => process.exit(0));
const port = typeof address === 'object' && address ? address.port : 0;
answer<object, PeerOrder>({ port, path: '/', headers: {} }, fill);
