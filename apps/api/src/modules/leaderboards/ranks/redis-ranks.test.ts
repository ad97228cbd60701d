import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest';
import { askAll, EVERYBODY, expectAll, inOne, inTime } from '#test/rank-model.ts';
import { describeRankStore } from '#test/rank-store-suite.ts';
import { type RedisServer, startRedis } from '#test/redis-server.ts';
import { describeUnlessMissing } from '#test/skip-without.ts';
import { createMemoryRanks } from './memory-ranks.ts';
import { type Board, OutdatedReading, type RankStore, type Score } from './rank-store.ts';
import { createRedisRanks, type RedisRanksOptions } from './redis-ranks.ts';

const { path, missing } = inject('redis_server');
const [ANNA, BEN, CARLA] = ['a', 'b', 'c'].map((letter) => `${letter.repeat(8)}-0000-4000-8000-000000000000`) as [
  string,
  string,
  string,
];
const WEEK: Board = { ...EVERYBODY, period: '2026-W47' };

function score(user_id: string, points: number, version = 1): Score {
  return { user_id, points, version, reached_at_ms: 1_795_000_000_000 };
}

describeUnlessMissing(missing, 'boards in Redis', () => {
  let redis: RedisServer;
  let raw: Redis;
  let opened: RankStore[] = [];
  beforeAll(async () => {
    redis = await startRedis(path ?? '');
    raw = new Redis(redis.url);
  });
  afterEach(async () => {
    await Promise.all(opened.map((store) => store.close()));
    opened = [];
  });
  afterAll(async () => {
    raw?.disconnect();
    await redis?.stop();
  });

  const open = (prefix: string, options: Partial<RedisRanksOptions> = {}) =>
    createRedisRanks({ url: redis.url, prefix, log: { warn() {} }, ...options });
  /** Two nodes on the same boards. */
  const openTwo = (options: Partial<RedisRanksOptions> = {}) => {
    const prefix = `{${randomUUID()}}:`;
    const nodes = [open(prefix, options), open(prefix, options)] as const;
    opened.push(...nodes);
    return { nodes, root: `${prefix}ranks2` };
  };
  const pointsOf = async (store: RankStore, board = EVERYBODY) => {
    const page = await store.readPage(board, 0, 100);
    return page?.rows.map(({ user_id, points }) => `${user_id[0]}${points}`).join(' ');
  };

  describeRankStore('as any rank store', async () => open(`{${randomUUID()}}:`));

  it('refuses what was read from the log before a board began to be filled, and takes what is read again', async () => {
    const { nodes } = openTwo();
    const [one, other] = nodes;
    await one.writeWatermark('100');
    await other.readWatermark();
    // Meanwhile Anna hides: the rows of this filling do not know her, so no version of hers is known.
    await one.fill(EVERYBODY, inOne([score(BEN, 50)]));
    await expect(other.apply([{ board: EVERYBODY, scores: [score(ANNA, 90, 5)] }])).rejects.toThrow(OutdatedReading);
    expect(await pointsOf(one)).toBe('b50');
    await other.readWatermark();
    await other.apply([{ board: EVERYBODY, scores: [score(ANNA, 0, 6), score(CARLA, 20)] }]);
    expect(await pointsOf(one)).toBe('b50 c20');
  });

  it('keeps the watermark from going back, and refuses one that does not follow from what is there', async () => {
    const { nodes } = openTwo();
    const [one, other] = nodes;
    await one.writeWatermark('99');
    await one.readWatermark();
    await other.readWatermark();
    await other.writeWatermark('100');
    await one.writeWatermark('99');
    expect(await one.readWatermark()).toBe('100');
    await other.clear();
    await expect(one.writeWatermark('101')).rejects.toThrow(OutdatedReading);
    expect(await other.readWatermark()).toBeUndefined();
    await other.writeWatermark('90');
    await expect(one.writeWatermark('101')).rejects.toThrow(OutdatedReading);
    expect(await other.readWatermark()).toBe('90');
  });

  it('moves no watermark from one life of the database server to another', async () => {
    const { nodes } = openTwo();
    const [one, other] = nodes;
    await one.writeWatermark('100 first');
    await one.readWatermark();
    await expect(one.writeWatermark('110 second')).rejects.toThrow(OutdatedReading);
    await other.readWatermark();
    await other.clear();
    await other.writeWatermark('90 second');
    // Higher by the number, and read before the server died.
    await expect(one.writeWatermark('110 first')).rejects.toThrow(OutdatedReading);
    expect(await one.readWatermark()).toBe('90 second');
    await one.writeWatermark('95 second');
    expect(await other.readWatermark()).toBe('95 second');
  });

  it('drops boards of unknown age with the first watermark, and fills none where a known watermark is gone', async () => {
    const { nodes, root } = openTwo();
    const [one, other] = nodes;
    await other.fill(EVERYBODY, inOne([score(ANNA, 90)]));
    await one.writeWatermark('100');
    expect(await pointsOf(other)).toBeUndefined();
    await one.readWatermark();
    await raw.unlink(root);
    await one.fill(EVERYBODY, inOne([score(ANNA, 90)]));
    expect(await pointsOf(one)).toBeUndefined();
  });

  it('fills a board once for two nodes', async () => {
    const { nodes, root } = openTwo();
    const [one, other] = nodes;
    const slow = inTime();
    const first = one.fill(EVERYBODY, slow.rows);
    slow.give([score(ANNA, 90)]);
    while (!(await raw.exists(root))) await new Promise(setImmediate);
    const second = other.fill(EVERYBODY, inOne([score(BEN, 1)]));
    slow.end();
    await Promise.all([first, second]);
    expect(await pointsOf(other)).toBe('a90');
  });

  it('shows no half board of a node that died while it filled: another takes over', async () => {
    const { nodes, root } = openTwo({ fill_lease_ms: 300 });
    const [one, other] = nodes;
    const slow = inTime();
    const died = one.fill(EVERYBODY, slow.rows);
    slow.give([score(ANNA, 90)]);
    while ((await raw.zcard(`${root}:order:all/all/all`)) < 2) await new Promise(setImmediate);
    await other.apply([{ board: EVERYBODY, scores: [score(BEN, 50)] }]);
    await one.close();
    expect(await pointsOf(other)).toBeUndefined();
    await other.fill(EVERYBODY, inOne([score(CARLA, 20)]));
    expect(await pointsOf(other)).toBe('c20');
    slow.end();
    await Promise.allSettled([died]);
    expect(await pointsOf(other)).toBe('c20');
  });

  it('ignores a node that wakes up after another took over from it', async () => {
    const { nodes, root } = openTwo();
    const [one, other] = nodes;
    const [slow, late] = [inTime(), inTime()];
    const asleep = one.fill(EVERYBODY, slow.rows);
    slow.give([score(ANNA, 90)]);
    while (!(await raw.exists(root))) await new Promise(setImmediate);
    const began = (await raw.hget(root, 'began')) ?? '';
    await raw.hset(root, 'all/all/all', `f ${began} 0`);
    const taken = other.fill(EVERYBODY, late.rows);
    late.give([score(CARLA, 20)]);
    while ((await raw.hget(root, 'began')) === began) await new Promise(setImmediate);
    slow.give([score(BEN, 50)]);
    slow.end();
    await asleep;
    expect(await pointsOf(other)).toBeUndefined();
    late.end();
    await taken;
    expect(await pointsOf(other)).toBe('c20');
  });

  it('knows a board of which Redis gave up a part as one that is not there', async () => {
    const { nodes, root } = openTwo();
    const [one] = nodes;
    for (const lost of [`${root}:order:all/all/all`, `${root}:scores:all/all/all`, root]) {
      await one.fill(EVERYBODY, inOne([score(ANNA, 90)]));
      expect(await pointsOf(one)).toBe('a90');
      await raw.unlink(lost);
      await one.apply([{ board: EVERYBODY, scores: [score(BEN, 50)] }]);
      expect(await pointsOf(one)).toBeUndefined();
    }
  });

  it('gives up what was not asked for the longest where there are too many boards, or users on them', async () => {
    const boards = ['2026-W45', '2026-W46', '2026-W47'].map((period) => ({ ...EVERYBODY, period })) as [
      Board,
      ...Board[],
    ];
    for (const bound of [{ max_boards: 2 }, { max_users: 5 }]) {
      const { nodes, root } = openTwo(bound);
      for (const board of boards) {
        await nodes[0].fill(board, inOne([score(ANNA, 90), score(BEN, 50)]));
        // As if asked for a while ago, the later the board the longer.
        const field = `${board.period}/all/all`;
        const [, began, ms] = ((await raw.hget(root, field)) ?? '').split(' ');
        const ago_ms = 60_000 * Number(board.period.slice(-2));
        if (board !== boards[2]) await raw.hset(root, field, `r ${began} ${Number(ms) - ago_ms}`);
      }
      expect(await Promise.all(boards.map((board) => pointsOf(nodes[1], board)))).toEqual([
        'a90 b50',
        undefined,
        'a90 b50',
      ]);
      expect(await raw.exists(`${root}:order:2026-W46/all/all`, `${root}:scores:2026-W46/all/all`)).toBe(0);
    }
  });

  it('notes that a board was asked for, and lets what nobody touches go by itself', async () => {
    const { nodes, root } = openTwo();
    await nodes[0].fill(EVERYBODY, inOne([score(ANNA, 90)]));
    const keys = [root, `${root}:order:all/all/all`, `${root}:scores:all/all/all`];
    for (const key of keys) await raw.pexpire(key, 3_600_000);
    await pointsOf(nodes[1]);
    for (const key of keys) expect(await raw.pttl(key)).toBeGreaterThan(24 * 3_600_000);
  });

  it('keeps other databases apart on the same Redis', async () => {
    const one = openTwo();
    const other = openTwo();
    await one.nodes[0].fill(EVERYBODY, inOne([score(ANNA, 90)]));
    await other.nodes[0].fill(EVERYBODY, inOne([score(BEN, 50)]));
    await other.nodes[0].clear();
    expect(await pointsOf(one.nodes[1])).toBe('a90');
    expect(await pointsOf(other.nodes[1])).toBeUndefined();
  });

  describeAsMemory(() => open(`{${randomUUID()}}:`));
});

const BOARDS = [EVERYBODY, WEEK];
const USERS = Array.from({ length: 40 }, () => randomUUID());
const who = fc.nat(USERS.length - 1);
const some = fc.record({
  who,
  points: fc.oneof(fc.constantFrom(0, 1, 7, 2_147_483_647), fc.integer({ min: 0, max: 30 })),
  version: fc.integer({ min: 1, max: 2_000_000_000 }),
  reached_at_ms: fc.oneof(fc.constantFrom(0, 1, 255, 256), fc.integer({ min: 0, max: 4_102_444_800_000 })),
});
const act = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('apply' as const), on: fc.nat(1), scores: fc.array(some) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('fill' as const), on: fc.nat(1), scores: fc.array(some) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), who }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear' as const) }) },
);

/** A user's score of a version is always the same one, whatever chance gave. */
function toScores(given: { who: number; points: number; version: number; reached_at_ms: number }[]): Score[] {
  const first = new Map<string, Score>();
  return given.map(({ who, ...rest }) => {
    const made = { user_id: USERS[who] ?? '', ...rest };
    const key = `${who} ${rest.version}`;
    if (!first.has(key)) first.set(key, made);
    return first.get(key) ?? made;
  });
}

function describeAsMemory(make: () => RankStore): void {
  it('answers as memory does, whatever was filled, applied, removed and cleared', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 25 }), async (acts) => {
        const stores = [make(), createMemoryRanks()] as const;
        try {
          for (const store of stores) {
            const removed = new Set<string>();
            // The database does not have them any more, so neither rows nor log show them.
            const left = (scores: Score[]) => scores.filter(({ user_id }) => !removed.has(user_id));
            for (const one of acts) {
              const board = one.kind === 'fill' || one.kind === 'apply' ? (BOARDS[one.on] ?? EVERYBODY) : EVERYBODY;
              if (one.kind === 'apply') await store.apply([{ board, scores: left(toScores(one.scores)) }]);
              else if (one.kind === 'fill') await store.fill(board, inOne(left(toScores(one.scores))));
              else if (one.kind === 'remove') {
                await store.remove(USERS[one.who] ?? '');
                removed.add(USERS[one.who] ?? '');
              } else await store.clear();
            }
          }
          for (const board of BOARDS) {
            const [inRedis, inMemory] = await Promise.all(
              stores.map((store) => askAll(store, board, USERS, [0, 1, 6, 7, 30, 2_147_483_647])),
            );
            expect(inRedis).toEqual(inMemory);
          }
        } finally {
          await Promise.all(stores.map((store) => store.close()));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('ranks a board of many parts as sorting does', async () => {
    const store = make();
    const scores = Array.from({ length: 5000 }, (_, index) => ({
      user_id: randomUUID(),
      version: 1,
      points: 1 + ((index * 7919) % 500),
      reached_at_ms: 1_795_000_000_000 + ((index * 31) % 17),
    }));
    await store.fill(EVERYBODY, inOne(scores));
    const asked = scores.slice(0, 50).map(({ user_id }) => user_id);
    expect(await askAll(store, EVERYBODY, asked, [1, 250, 500])).toEqual(expectAll(scores, asked, [1, 250, 500]));
    await store.close();
  });
}
