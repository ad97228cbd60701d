import { isoWeekAt, seasonKey } from '@sendlap/domain/dates.ts';
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app.ts';
import { type RedisServer, startRedis } from '#test/redis-server.ts';
import { makeClimb, ScanScene } from '#test/scan-scene.ts';
import { describeUnlessMissing } from '#test/skip-without.ts';

const { path, missing } = inject('redis_server');

describeUnlessMissing(missing, 'boards of two nodes in Redis', () => {
  let redis: RedisServer;
  let scene: ScanScene;
  let second: TestApp;

  beforeAll(async () => {
    redis = await startRedis(path ?? '');
    const env = { REDIS_URL: redis.url };
    scene = await ScanScene.open({ env });
    second = await buildTestApp({ env, database_url: scene.api.database_url });
  });
  afterAll(async () => {
    await second?.close();
    await scene?.api.close();
    await redis?.kill();
  });
  beforeEach(() => scene.renew());

  const read = async ({ app }: TestApp, who: SignedIn, query = 'period=all') => {
    const reply = await app.inject({ url: `/v1/leaderboards?${query}`, headers: who.headers });
    return { status: reply.statusCode, retry_after: reply.headers['retry-after'], ...reply.json() };
  };
  const myPoints = async (node: TestApp, query?: string): Promise<number> =>
    (await read(node, scene.athlete, query)).data?.me?.points ?? 0;
  /** Gives the week of the climb: on a Monday night it may not be the present one. */
  const validate = async () => {
    const climb = makeClimb();
    await scene.record(climb);
    expect((await scene.validate(scene.referee, scene.codeOf(climb).payload)).status).toBe(200);
    return isoWeekAt(climb.started_at, 'Europe/Madrid');
  };

  it('show a validation at once where it was made, and on the other node as soon as it is applied', async () => {
    expect([await myPoints(scene.api), await myPoints(second)]).toEqual([0, 0]);
    const week = await validate();
    const points = await myPoints(scene.api);
    expect(points).toBeGreaterThan(0);
    expect(await myPoints(second)).toBe(points);
    const [of_week, of_season] = [`period=week&key=${week}`, `period=season&key=${seasonKey(week)}`];
    for (const query of [of_week, of_season, `period=all&sport_center_id=${scene.center}`]) {
      expect(await myPoints(second, query)).toBe(points);
    }
  });

  it('are the only thing that is refused while Redis is away, and miss nothing afterwards', async () => {
    await validate();
    const before = await read(scene.api, scene.athlete);
    await redis.kill();
    for (const node of [scene.api, second]) {
      expect(await read(node, scene.athlete)).toMatchObject({ status: 503, code: 'unavailable', retry_after: '2' });
    }
    const dashboard = await scene.api.app.inject({ url: '/v1/dashboard', headers: scene.athlete.headers });
    expect(dashboard.statusCode).toBe(200);
    expect(dashboard.json().data).toMatchObject({ rank: null, rank_known: false });
    await scene.renew();
    await validate();
    redis = await startRedis(path ?? '', { port: redis.port });
    for (const node of [scene.api, second]) {
      await expect.poll(async () => (await read(node, scene.athlete)).status).toBe(200);
      const after = await read(node, scene.athlete);
      expect(after.data.total).toBe(before.data.total + 1);
      expect(after.data.me.points).toBeGreaterThan(0);
    }
  });
});
