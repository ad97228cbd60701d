import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, iso, MINUTE_MS, type PlannedActivity, resultOf, Stage } from '#test/attacks/attack.ts';
import { type ClockedWorld, openClockedWorld, type PairedKiosk } from '#test/scenes/clocked-world.ts';
import { withdrawByOperator } from '../operator-withdrawals.ts';
import { recomputeScores, verifyScores } from './verify-scores.ts';

const EVERYWHERE = '00000000-0000-0000-0000-000000000000';
/** The end of Sunday in UTC of 2026-W12, in which each test begins. */
const WEEK_ENDED = Date.parse('2026-03-23T00:00:00Z');
const FINAL_AT = WEEK_ENDED + 15.5 * DAY_MS;
/** Points of a climb of 30 and of 60 minutes. */
const [HALF_HOUR, HOUR] = [118, 236];

let world: ClockedWorld;
let kiosk: PairedKiosk;
let stage: Stage;
beforeAll(async () => {
  world = await openClockedWorld();
  kiosk = await world.pairKiosk(world.center);
});
afterAll(() => world.close());
beforeEach(async () => {
  stage = await Stage.open(world, kiosk);
});

/** Recorded, and confirmed by a referee now; `op_id` is that of the scan. */
async function confirmed(
  minutes: number,
  options: { ago?: number } = {},
): Promise<PlannedActivity & { op_id: string }> {
  const planned = await stage.climbed({ minutes, ...options });
  const op_id = randomUUID();
  expect(await stage.scanned(stage.code(planned).payload, { op_id })).toBe('accepted');
  return { ...planned, op_id };
}

async function readBoards(user_id = stage.ada.id) {
  const rows = await world.api.database
    .selectFrom('board_scores')
    .selectAll()
    .where('user_id', '=', user_id)
    .orderBy('period')
    .orderBy('sport')
    .orderBy('sport_center_id')
    .execute();
  return rows.map(({ user_id: _, ...row }) => row);
}

const withoutVersion = (rows: Awaited<ReturnType<typeof readBoards>>) => rows.map(({ version: _, ...row }) => row);

/** Points by period on the board of all sports and all centers. */
async function readPoints(user_id = stage.ada.id): Promise<Record<string, number>> {
  const rows = (await readBoards(user_id)).filter((row) => row.sport === 'all' && row.sport_center_id === EVERYWHERE);
  return Object.fromEntries(rows.map(({ period, points }) => [period, points]));
}

const readLedger = () =>
  world.api.database
    .selectFrom('score_ledger')
    .select(['kind', 'points', 'on_boards'])
    .where('user_id', '=', stage.ada.id)
    .orderBy('id')
    .execute();

async function countDifferences(): Promise<number> {
  const { differences } = await verifyScores(world.api.database);
  return differences.filter(({ user_id }) => user_id === stage.ada.id).length;
}

const remove = ({ client_id }: PlannedActivity) =>
  world.call('DELETE', `/v1/activities/${client_id}`, stage.ada, stage.now, { op_id: randomUUID() });

describe('the boards return to the previous scores, with higher versions, after', () => {
  const ways: [string, (planned: PlannedActivity & { op_id: string }) => Promise<string>][] = [
    [
      'a withdrawal',
      async ({ client_id, op_id: scan_op_id }) => {
        const url = `/v1/activities/${client_id}/withdraw`;
        return resultOf(await stage.post(stage.rex, url, { op_id: randomUUID(), scan_op_id }));
      },
    ],
    [
      'a rejection by a referee who had scanned earlier',
      async (planned) => {
        const at = planned.ended + MINUTE_MS;
        const { payload } = stage.code(planned, { step: Math.floor(at / 30_000) });
        const scan = { decision: 'reject', scanned_at: iso(at), recorded_offline: true };
        return stage.scanned(payload, scan, await stage.referee());
      },
    ],
    [
      'an edit',
      async (planned) => resultOf(await stage.edit(planned, { ended_at: iso(planned.ended - 5 * MINUTE_MS) })),
    ],
    ['a deletion', async (planned) => resultOf(await remove(planned))],
  ];

  test.each(ways)('%s', async (_what, takeBack) => {
    await confirmed(30, { ago: 5 * HOUR_MS });
    stage.now += HOUR_MS;
    const before = await readBoards();
    const second = await confirmed(60, { ago: 10 * MINUTE_MS });
    expect((await readPoints())['2026-W12']).toBe(HALF_HOUR + HOUR);
    stage.now += MINUTE_MS;
    expect(await takeBack(second)).toBe('accepted');
    const after = await readBoards();
    expect(withoutVersion(after)).toEqual(withoutVersion(before));
    expect(after.map(({ version }) => version)).toEqual(before.map(({ version }) => version + 2));
    expect(await countDifferences()).toBe(0);
  });
});

describe('a week ends', () => {
  test('at midnight of the center’s zone, also on the Sunday on which the clocks change', async () => {
    const sunday = Date.parse('2026-03-29T00:00:00+01:00');
    const monday = Date.parse('2026-03-30T00:00:00+02:00');
    expect(monday - sunday).toBe(23 * HOUR_MS);
    stage.now = monday + HOUR_MS;
    await confirmed(20, { ago: 80 * MINUTE_MS });
    stage.now += MINUTE_MS;
    await confirmed(30, { ago: 31 * MINUTE_MS });
    const points = await readPoints();
    expect([points['2026-W13'], points['2026-W14']]).toEqual([79, HALF_HOUR]);
    // Thursday of week 14 is 2 April.
    expect([points['2026-Q1'], points['2026-Q2'], points.all]).toEqual([79, HALF_HOUR, 79 + HALF_HOUR]);
  });

  test('and is final 15.5 days later: until then a deletion reaches its boards', async () => {
    const first = await confirmed(30, { ago: 5 * HOUR_MS });
    await confirmed(60);
    stage.now = FINAL_AT - MINUTE_MS;
    expect(resultOf(await remove(first))).toBe('accepted');
    expect(await readPoints()).toEqual({ '2026-W12': HOUR, '2026-Q1': HOUR, all: HOUR });
  });

  test('and once it is final, a deleted or edited activity is lost for the athlete and stays on its boards', async () => {
    const first = await confirmed(30, { ago: 5 * HOUR_MS });
    const second = await confirmed(60);
    const before = await readBoards();
    stage.now = FINAL_AT;
    expect(resultOf(await remove(first))).toBe('accepted');
    expect(resultOf(await stage.edit(second, { ended_at: iso(second.ended - MINUTE_MS) }))).toBe('accepted');
    expect(await readBoards()).toEqual(before);
    expect(await readLedger()).toEqual([
      { kind: 'validation', points: HALF_HOUR, on_boards: true },
      { kind: 'validation', points: HOUR, on_boards: true },
      { kind: 'reversal', points: -HALF_HOUR, on_boards: false },
      { kind: 'reversal', points: -HOUR, on_boards: false },
    ]);
    expect((await stage.look(second)).points).toBe(0);
    expect(await countDifferences()).toBe(0);
  });
});

test('a decision of a final week that an operator withdraws costs the athlete the points; the boards keep them', async () => {
  const first = await confirmed(30, { ago: 5 * HOUR_MS });
  await confirmed(60);
  const before = await readBoards();
  const { decision_id } = await world.api.database
    .selectFrom('activities')
    .select('decision_id')
    .where('id', '=', first.client_id)
    .executeTakeFirstOrThrow();
  await withdrawByOperator(world.api.database, decision_id ?? '');
  expect(await stage.look(first)).toMatchObject({ status: 'finished', points: 0 });
  expect(await readBoards()).toEqual(before);
  expect((await readLedger()).at(-1)).toEqual({ kind: 'reversal', points: -HALF_HOUR, on_boards: false });
  expect(await countDifferences()).toBe(0);
});

test('final weeks that were tampered with are found, and rebuilt from the ledger entries that were booked in time', async () => {
  const first = await confirmed(30, { ago: 5 * HOUR_MS });
  await confirmed(60);
  stage.now = FINAL_AT;
  await remove(first);
  const right = await readBoards();
  const { database } = world.api;
  const change = database.updateTable('board_scores').where('user_id', '=', stage.ada.id);
  const tampering = [
    ['2026-W12', { points: 1 }],
    ['2026-Q1', { friends_points: 1 }],
    ['all', { reached_at: new Date() }],
  ] as const;
  for (const [period, tampered] of tampering) {
    await change.set(tampered).where('period', '=', period).where('sport', '=', 'all').execute();
  }
  await change.set({ friends_reached_at: new Date() }).where('sport', '=', 'climbing').execute();
  expect(await countDifferences()).toBe(12);
  await recomputeScores(database);
  expect(await countDifferences()).toBe(0);
  await database.deleteFrom('board_scores').where('user_id', '=', stage.ada.id).execute();
  expect(await countDifferences()).toBe(12);
  await recomputeScores(database);
  expect(withoutVersion(await readBoards())).toEqual(withoutVersion(right));
});

test('two concurrent referees of two activities: both confirmations count, on the boards too', async () => {
  const planned_activities = [
    await stage.climbed({ minutes: 30, ago: 5 * HOUR_MS }),
    await stage.climbed({ minutes: 60 }),
  ];
  const referees = [stage.rex, await stage.referee()];
  const outcomes = await Promise.all(
    planned_activities.map((planned, nth) => stage.scanned(stage.code(planned).payload, {}, referees[nth])),
  );
  expect(outcomes).toEqual(['accepted', 'accepted']);
  const sum = HALF_HOUR + HOUR;
  expect(await readPoints()).toEqual({ '2026-W12': sum, '2026-Q1': sum, all: sum });
  expect((await readBoards()).map(({ version }) => version)).toEqual(Array(12).fill(2));
  expect(await countDifferences()).toBe(0);
});

test('all athletes at one center at once: no board is a row that they share', async () => {
  await confirmed(30);
  const stages: Stage[] = [];
  for (let nth = 0; nth < 6; nth += 1) stages.push(await Stage.open(world, kiosk));
  const held = await Promise.all(stages.map(async (one) => ({ one, planned: await one.climbed({ minutes: 60 }) })));
  await world.api.database.transaction().execute(async (trx) => {
    // A scan that needs another user's row on the same boards would wait forever.
    await trx.selectFrom('board_scores').selectAll().where('user_id', '=', stage.ada.id).forUpdate().execute();
    const outcomes = await Promise.all(held.map(({ one, planned }) => one.scanned(one.code(planned).payload)));
    expect(outcomes).toEqual(Array(6).fill('accepted'));
  });
  for (const { one } of held) expect(await readPoints(one.ada.id)).toMatchObject({ all: HOUR });
});
