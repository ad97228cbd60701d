import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { type Database, openDatabase } from '#api/platform/database.ts';
import { createTestDatabase } from '#test/database.ts';
import { EVERYBODY } from '#test/rank-model.ts';
import { addAthlete, writeScore } from '#test/rank-rows.ts';
import { type RedisServer, startRedis } from '#test/redis-server.ts';
import { describeUnlessMissing } from '#test/skip-without.ts';
import { createRankStore } from './create-rank-store.ts';
import { createRankIndex, type RankIndex } from './rank-index.ts';
import type { Board } from './rank-store.ts';

/** Notes alone must do. */
const NEVER_MS = 3_600_000;
const WEEK: Board = { ...EVERYBODY, period: '2026-W47' };
const { path, missing } = inject('redis_server');

describeUnlessMissing(missing, 'nodes that share a Redis', () => {
  let server: Awaited<ReturnType<typeof createTestDatabase>>;
  let database: Database;
  let redis: RedisServer;
  let nodes: RankIndex[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'sendlap-kept-'));

  beforeAll(async () => {
    server = await createTestDatabase();
    database = openDatabase(server.url);
    redis = await startRedis(path ?? '', { folder });
  });
  afterAll(async () => {
    await redis?.kill();
    await database?.destroy();
    await server?.drop();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await sql`truncate board_scores, board_changes`.execute(database);
    await command('FLUSHALL');
  });
  afterEach(async () => {
    await Promise.all(nodes.map((node) => node.close()));
    nodes = [];
  });

  const command = async (name: string) => {
    const raw = new Redis(redis.url);
    await raw.call(name);
    raw.disconnect();
  };
  const openNode = async () => {
    const log = { warn() {} };
    const store = await createRankStore({ env: { REDIS_URL: redis.url }, database, log });
    const node = createRankIndex({ database, store, log, poll_ms: NEVER_MS });
    nodes.push(node);
    return node;
  };
  const commit = async (node: RankIndex | undefined, user_id: string, points: number, board = EVERYBODY) => {
    await database.transaction().execute((trx) => writeScore(trx, user_id, points, board));
    node?.noteChange();
  };
  const pointsOn = async (node: RankIndex, board = EVERYBODY) =>
    (await node.readPage(board, 0, 100)).rows.map(({ points }) => points);
  const refusalOf = (node: RankIndex) => node.readPage(EVERYBODY, 0, 1).catch((error: unknown) => error);
  const comeBack = async () => {
    redis = await startRedis(path ?? '', { folder, port: redis.port });
  };

  it('see what any of them applied, without hearing of it', async () => {
    const [one, other] = [await openNode(), await openNode()];
    const user_id = await addAthlete(database);
    await commit(one, user_id, 10);
    expect(await pointsOn(one)).toEqual([10]);
    expect(await pointsOn(other)).toEqual([10]);
    await commit(one, user_id, 20);
    expect(await pointsOn(one)).toEqual([20]);
    expect(await pointsOn(other)).toEqual([20]);
    await commit(other, user_id, 5);
    expect(await pointsOn(other)).toEqual([5]);
    expect(await pointsOn(one)).toEqual([5]);
  });

  it('lose nothing of a node that died between its commit and telling of it', async () => {
    const died = await openNode();
    const [ada, ben] = [await addAthlete(database), await addAthlete(database)];
    await commit(died, ada, 10);
    expect(await pointsOn(died)).toEqual([10]);
    await commit(undefined, ada, 30);
    await commit(undefined, ben, 20);
    expect(await pointsOn(await openNode())).toEqual([30, 20]);
  });

  it('are right in the end, and each about its own commits at once, whatever they do at the same time', async () => {
    const many = [await openNode(), await openNode(), await openNode()];
    const athletes = await Promise.all(Array.from({ length: 12 }, () => addAthlete(database)));
    const truth = new Map<string, number>();
    const live = async (node: RankIndex, turn: number) => {
      // Each athlete belongs to one node, so that what it reads of them can be told.
      const own = athletes.filter((_, index) => index % many.length === turn);
      for (let step = 0; step < 25; step++) {
        const user_id = own[step % own.length] ?? '';
        const points = (step * 37 + turn * 11) % 9;
        const board = step % 5 === 4 ? WEEK : EVERYBODY;
        await commit(node, user_id, points, board);
        truth.set(`${board.period} ${user_id}`, points);
        // Twice, for a read gives up after a few boards that were lost under its hands.
        if (turn === 0 && step % 10 === 9) await command('FLUSHALL');
        const { rows } = await node.readPage(board, 0, 100);
        expect(rows.find((row) => row.user_id === user_id)?.points ?? 0).toBe(points);
      }
    };
    await Promise.all(many.map(live));
    for (const node of many) node.noteChange();
    for (const board of [EVERYBODY, WEEK]) {
      const expected = athletes
        .map((user_id) => truth.get(`${board.period} ${user_id}`) ?? 0)
        .filter((points) => points > 0);
      for (const node of many) expect(await pointsOn(node, board)).toEqual(expected.sort((a, b) => b - a));
    }
  });

  it('fill all boards again in a Redis that lost everything', async () => {
    const [one, other] = [await openNode(), await openNode()];
    const user_id = await addAthlete(database);
    await commit(one, user_id, 10);
    expect(await pointsOn(one)).toEqual([10]);
    await redis.kill();
    rmSync(join(folder, 'dump.rdb'), { force: true });
    await commit(undefined, user_id, 20);
    await comeBack();
    await expect.poll(() => pointsOn(other).catch(() => [])).toEqual([20]);
    await commit(one, user_id, 30);
    expect(await pointsOn(one)).toEqual([30]);
    expect(await pointsOn(other)).toEqual([30]);
  });

  it('bring a Redis up to date that came back older than it was, also while a transaction holds the watermark', async () => {
    const [one, other] = [await openNode(), await openNode()];
    const [ada, ben] = [await addAthlete(database), await addAthlete(database)];
    await commit(one, ada, 10);
    expect(await pointsOn(one)).toEqual([10]);
    const open = await database.startTransaction().execute();
    await sql`select pg_current_xact_id()`.execute(open);
    await commit(one, ada, 15);
    expect([await pointsOn(one), await pointsOn(other)]).toEqual([[15], [15]]);
    await command('SAVE');
    await commit(one, ben, 40);
    await commit(one, ada, 20);
    expect([await pointsOn(one), await pointsOn(other)]).toEqual([
      [40, 20],
      [40, 20],
    ]);
    await redis.kill();
    await comeBack();
    await expect.poll(() => pointsOn(one).catch(() => [])).toEqual([40, 20]);
    expect(await pointsOn(other)).toEqual([40, 20]);
    await open.rollback().execute();
  });

  it('refuse to answer while Redis is away, and are right when it is back', async () => {
    const node = await openNode();
    const user_id = await addAthlete(database);
    await commit(node, user_id, 10);
    expect(await pointsOn(node)).toEqual([10]);
    await redis.stop();
    await commit(node, user_id, 20);
    for (let time = 0; time < 3; time++) {
      expect(await refusalOf(node)).toMatchObject({ code: 'unavailable', retry_after_s: 2 });
    }
    await comeBack();
    await expect.poll(() => pointsOn(node).catch(() => [])).toEqual([20]);
  });
});
