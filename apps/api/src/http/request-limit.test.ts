import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openTestDatabase } from '#test/database/database.ts';
import { openBreakableLine } from '#test/servers/breakable-line.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { hashKey } from './attempt-limit.ts';
import { installErrorHandler } from './error-replies.ts';
import { createRequestLimits } from './request-limit.ts';

let own: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  own = await openTestDatabase();
});
afterAll(() => own.close());
// Fakes the clock: a slow machine must not reach the next minute.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

/** A node with one route, which identifies callers by their address. */
function openNode(name: string, max: number, database: Database = own.database) {
  const app = Fastify();
  installErrorHandler(app);
  const limit = createRequestLimits(database)(name, { max, window_s: 60 });
  app.get('/', { onRequest: limit }, async () => 'served');
  return async (remoteAddress = '192.0.2.1') => {
    const { statusCode: status, headers } = await app.inject({ url: '/', remoteAddress });
    return { status, headers };
  };
}

describe('three nodes', () => {
  test.each([1, 5, 60])('admit %i requests of a caller in all, then none, and still other callers', async (max) => {
    const name = randomUUID();
    const nodes = [openNode(name, max), openNode(name, max), openNode(name, max)];
    const served = async (address?: string) => {
      let count = 0;
      for (let nth = 0; nth < 2 * max + nodes.length; nth++)
        if ((await nodes[nth % nodes.length]?.(address))?.status === 200) count += 1;
      return count;
    };
    expect([await served(), await served(), await served('192.0.2.2')]).toEqual([max, 0, max]);
  });

  test('admit as many when very many come at once', async () => {
    const name = randomUUID();
    const nodes = [openNode(name, 60), openNode(name, 60), openNode(name, 60)];
    const replies = await Promise.all(nodes.flatMap((ask) => Array.from({ length: 100 }, () => ask())));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(240);
  });
});

test('one node admits all calls of a window alone, and returns how many are left and until when', async () => {
  const ask = openNode(randomUUID(), 60);
  for (let left = 59; left >= 0; left--) {
    const { status, headers } = await ask();
    expect([status, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual([200, '60', String(left)]);
    expect(headers['retry-after']).toBeUndefined();
  }
  const { status, headers } = await ask();
  expect([status, headers['x-ratelimit-remaining'], headers['retry-after']]).toEqual([
    429,
    '0',
    headers['x-ratelimit-reset'],
  ]);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
});

test('a window ends a minute after its first request, and a refused caller costs the database nothing until then', async () => {
  const begun_ms = Date.now();
  const name = randomUUID();
  const ask = openNode(name, 1);
  const counted = async () => {
    const counts = own.database.selectFrom('request_counts').select('points');
    return (await counts.where('key', '=', hashKey(`${name} 192.0.2.1`)).executeTakeFirstOrThrow()).points;
  };
  expect((await ask()).status).toBe(200);
  vi.setSystemTime(begun_ms + 59_000);
  for (let nth = 0; nth < 5; nth++) {
    const { status, headers } = await ask();
    expect([status, headers['retry-after']]).toEqual([429, '1']);
  }
  expect(await counted()).toBe(1);
  vi.setSystemTime(begun_ms + 60_001);
  expect((await ask()).status).toBe(200);
});

test('while the database is unreachable each node counts on its own', async () => {
  const line = await openBreakableLine(own.url);
  const database = openDatabase(line.url);
  const name = randomUUID();
  const nodes = [openNode(name, 3, database), openNode(name, 3, database)];
  await line.break();
  for (const ask of nodes) {
    const statuses = [];
    for (let nth = 0; nth < 4; nth++) statuses.push((await ask()).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  }
  await database.destroy();
  await line.close();
});
