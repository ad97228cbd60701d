import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { type RedisServer, startRedis } from '#test/redis-server.ts';
import { describeUnlessMissing } from '#test/skip-without.ts';
import { createServer } from './server.ts';
import { openSharedLimits, type SharedLimits } from './shared-limits.ts';

const { path, missing } = inject('redis_server');
const MAX = 3;
/** Longer than any test: a Redis that is slow on a busy machine still counts. */
const NEVER_MS = 600_000;

describeUnlessMissing(missing, 'limits of several nodes in Redis', () => {
  let redis: RedisServer;
  const opened: { app: FastifyInstance; limits: SharedLimits }[] = [];
  beforeAll(async () => {
    redis = await startRedis(path ?? '');
  });
  afterAll(async () => {
    for (const { app, limits } of opened) {
      await app.close();
      limits.close();
    }
    await redis?.kill();
  });

  async function openNode(
    prefix = 'one:',
    command_timeout_ms = NEVER_MS,
  ): Promise<() => Promise<{ status: number; retry_after: unknown }>> {
    const limits = openSharedLimits({ url: redis.url, prefix, log: { warn() {} }, command_timeout_ms });
    const app = await createServer({ logger: false, trust_proxy: undefined, secure: false, limits });
    opened.push({ app, limits });
    const config = { rateLimit: { max: MAX, timeWindow: 60_000 } };
    app.get('/limited', { config, schema: { hide: true } }, async (_request, reply) =>
      reply.type('text/plain').send('yes'),
    );
    await vi.waitFor(() => expect(limits.isShared()).toBe(true));
    return async () => {
      const { statusCode: status, headers } = await app.inject('/limited');
      return { status, retry_after: headers['retry-after'] };
    };
  }

  test('count together, apart from those of another database', async () => {
    const [one, two, foreign] = [await openNode(), await openNode(), await openNode('two:')];
    expect([(await one()).status, (await two()).status, (await one()).status]).toEqual([200, 200, 200]);
    for (const ask of [one, two]) {
      const { status, retry_after } = await ask();
      expect(status).toBe(429);
      expect(Number(retry_after)).toBeGreaterThan(0);
      expect(Number(retry_after)).toBeLessThanOrEqual(60);
    }
    expect((await foreign()).status).toBe(200);
  });

  /** Four requests of one whom nobody has counted yet. */
  async function askAnew(ask: Awaited<ReturnType<typeof openNode>>): Promise<number[]> {
    const statuses: number[] = [];
    for (let nth = 0; nth <= MAX; nth++) statuses.push((await ask()).status);
    return statuses;
  }

  test('are counted by each node for itself while Redis does not answer, and only the first waits for it', async () => {
    const ask = await openNode('three:', 500);
    process.kill(redis.pid, 'SIGSTOP');
    expect((await ask()).status).toBe(200);
    expect(opened.at(-1)?.limits.isShared()).toBe(false);
    expect(await askAnew(ask)).toEqual([200, 200, 429, 429]);
    process.kill(redis.pid, 'SIGCONT');
  });

  test('are counted by each node for itself while Redis is away', async () => {
    const [one, two] = [await openNode('four:'), await openNode('four:')];
    expect(await askAnew(one)).toEqual([200, 200, 200, 429]);
    expect((await two()).status).toBe(429);
    await redis.kill();
    expect(await askAnew(one)).toEqual([200, 200, 200, 429]);
    expect(await askAnew(two)).toEqual([200, 200, 200, 429]);
  });
});
