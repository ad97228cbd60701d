import type { IncomingMessage } from 'node:http';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { addCenters } from '#test/scenes/center-scene.ts';

let server: TestApp;
const arrived: IncomingMessage[] = [];

beforeAll(async () => {
  server = await buildTestApp({
    listen: true,
    seed: async (database) => {
      await addCenters(database, [{ name: 'Hall', at: [41.4, 2.1], sports: ['climbing'] }]);
    },
  });
  server.app.server.on('request', (request) => arrived.push(request));
});

afterAll(() => server.close());

/** Sends a search and waits until it has reached the server; `answer` is the pending response. */
async function send(query: string, signal: AbortSignal | null = null): Promise<{ answer: Promise<Response> }> {
  const before = arrived.length;
  const answer = fetch(`${server.url}/v1/sport-centers/search?${query}`, { signal });
  answer.catch(() => {});
  await expect.poll(() => arrived.length).toBe(before + 1);
  return { answer };
}

/** The searches running in the database. */
async function readStatements(): Promise<{ pid: number; query: string }[]> {
  const { rows } = await sql<{ pid: number; query: string }>`
    select pid, query from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%get_byte%'
  `.execute(server.database);
  return rows;
}

it('words that wait for their turn are not looked for once the client has gone', async () => {
  const leaving = new AbortController();
  const stay: Promise<Response>[] = [];
  await server.database.transaction().execute(async (trx) => {
    await sql`lock table sport_centers in access exclusive mode`.execute(trx);
    for (const q of ['one', 'two', 'three']) stay.push((await send(`q=${q}`)).answer);
    await expect.poll(async () => (await readStatements()).length).toBe(3);
    const running = await readStatements();
    for (const q of ['four', 'five']) await send(`q=${q}`, leaving.signal);
    const gone = arrived.slice(-2).map((request) => new Promise((resolve) => request.once('close', resolve)));
    stay.push((await send('city=six')).answer);
    leaving.abort();
    await Promise.all(gone);
    for (const { pid } of running) await sql`select pg_cancel_backend(${pid}::integer)`.execute(trx);
    // The cancelled ones may still be listed for a moment. One for "four" or "five" would wait for the lock, and stay.
    await expect
      .poll(async () => (await readStatements()).map(({ query }) => query))
      .toEqual([expect.stringContaining('search_city')]);
  });
  expect((await Promise.all(stay)).map(({ status }) => status)).toEqual([503, 503, 503, 200]);
});
