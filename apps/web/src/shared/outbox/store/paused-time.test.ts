import 'fake-indexeddb/auto';
import type { Op } from '@sendlap/contract/activities.ts';
import type { ClockMeasurement, ClockNote } from '@sendlap/domain/recording/clock-correction.ts';
import type { NotedMoment, Pause } from '@sendlap/domain/recording/pauses.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '#test/unit/outbox-store.ts';
import { correctDraft } from './paused-time.ts';
import type { OutboxStore } from './store.ts';

const ANA = '11111111-1111-4111-8111-111111111111';
const SWIM = '22222222-2222-4222-8222-222222222222';
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const START_MS = Date.parse('2026-11-21T10:00:00.000Z');
const at = (minute: number) => new Date(START_MS + minute * MINUTE_MS).toISOString();
const facts = {
  sport_center_id: crypto.randomUUID(),
  sport_center_name: 'Piscina Sant Jordi',
  sport_type: 'swimming',
  started_at: at(0),
  intensity: null,
} as const;
const about = () => ({ op_id: crypto.randomUUID(), client_id: SWIM });

/** How far the device's clock is ahead. */
let ahead_ms = 0;
let is_measured = true;
let minute = 0;
let store: OutboxStore;

const BEFORE: ClockMeasurement = { wall_ms: START_MS - 60 * MINUTE_MS, monotonic_ms: 0, page_id: 'old', offset_ms: 0 };

function clockNote(): ClockNote | null {
  if (is_measured) return null;
  const moment = { wall_ms: START_MS + minute * MINUTE_MS + ahead_ms, monotonic_ms: 0, page_id: 'page' };
  return { moment, before: BEFORE };
}

const contact = (): ClockMeasurement => ({
  wall_ms: START_MS + 120 * MINUTE_MS + ahead_ms,
  monotonic_ms: 0,
  page_id: 'next',
  offset_ms: -ahead_ms,
});
const nowShown = () => new Date(START_MS + minute * MINUTE_MS + ahead_ms).toISOString();

function noteAt(this_minute: number): NotedMoment {
  minute = this_minute;
  const clock = clockNote();
  return { at_ms: Date.parse(nowShown()), ...(clock ? { clock } : {}) };
}

async function start(): Promise<void> {
  minute = 0;
  const { sport_center_id, sport_type } = facts;
  const op: Op = { kind: 'start', ...about(), sport_center_id, sport_type, started_at: nowShown() };
  await store.saveOp(ANA, op, { facts: { ...facts, started_at: nowShown() } });
}

async function rest(from: number, to: number | null): Promise<void> {
  const since = noteAt(from);
  const pauses: Pause[] = [{ since, until: to === null ? null : noteAt(to) }];
  await store.saveDraft(ANA, SWIM, { intensity: null, pool_length_m: 0, lengths: 0, pauses }, facts);
}

async function finish(this_minute: number, paused_s: number): Promise<void> {
  minute = this_minute;
  await store.saveOp(ANA, { kind: 'finish', ...about(), ended_at: nowShown(), paused_s }, { facts });
}

const finishes = async () =>
  (await store.listOps(ANA)).map(({ payload }) => payload).filter((op) => op.kind === 'finish');
const local = async () => (await store.listRows(ANA)).activities[0];

beforeEach(async () => {
  [ahead_ms, is_measured] = [0, true];
  ({ store } = await openStore({ now: () => START_MS + 120 * MINUTE_MS, clockNote }));
});

describe.each([
  ['three days ahead', 3 * DAY_MS],
  ['three days behind', -3 * DAY_MS],
])('a clock %s', (_, move_ms) => {
  test('that was set before the start moves the pauses with the times', async () => {
    [ahead_ms, is_measured] = [move_ms, false];
    await start();
    await rest(10, 25);
    await finish(45, 900);
    await store.correctTimes(ANA, async () => contact());
    expect(await finishes()).toMatchObject([{ ended_at: at(45), paused_s: 900 }]);
    expect(await local()).toMatchObject({ started_at: at(0), ended_at: at(45), paused_s: 900 });
    expect((await local())?.draft?.pauses).toEqual([
      { since: { at_ms: START_MS + 10 * MINUTE_MS }, until: { at_ms: START_MS + 25 * MINUTE_MS } },
    ]);
  });

  test('that was set during the pause ends it when it really ended', async () => {
    await start();
    const since = noteAt(10);
    [ahead_ms, is_measured] = [move_ms, false];
    const pauses = [{ since, until: noteAt(25) }];
    await store.saveDraft(ANA, SWIM, { intensity: null, pool_length_m: 0, lengths: 0, pauses }, facts);
    // What the device takes for the time at rest.
    await finish(45, move_ms > 0 ? 3 * 86_400 : 0);
    await store.correctTimes(ANA, async () => contact());
    expect(await finishes()).toMatchObject([{ ended_at: at(45), paused_s: 900 }]);
  });

  test('that a reply has measured again is corrected in the notes, too', async () => {
    [ahead_ms, is_measured] = [move_ms, false];
    const draft = { intensity: null, pool_length_m: 0, lengths: 0, pauses: [{ since: noteAt(10), until: null }] };
    expect(correctDraft(draft, null)).toBe(draft);
    expect(correctDraft(draft, contact()).pauses).toEqual([
      { since: { at_ms: START_MS + 10 * MINUTE_MS }, until: null },
    ]);
    const proven = { ...draft, pauses: [{ since: { at_ms: 1 }, until: null }] };
    expect(correctDraft(proven, contact())).toBe(proven);
  });
});

describe('a refused finish that is sent again with other times', () => {
  async function refuse(): Promise<void> {
    for (const { op_id } of await store.listOps(ANA)) {
      await store.applyResults([{ op_id, outcome: 'rejected', code: 'activity_overlap' }]);
    }
  }

  test('has the part of the pauses between them', async () => {
    await start();
    await rest(10, 25);
    await finish(45, 900);
    await refuse();
    await store.retryDead(ANA, SWIM, { ended_at: at(20) });
    expect(await finishes()).toMatchObject([{ ended_at: at(20), paused_s: 600 }]);
    expect(await local()).toMatchObject({ paused_s: 600 });
  });

  test('has none of the pauses outside of them', async () => {
    await start();
    await rest(30, null);
    await finish(45, 900);
    await refuse();
    await store.retryDead(ANA, SWIM, { ended_at: at(20) });
    expect((await finishes())[0]).not.toHaveProperty('paused_s');
    expect((await local())?.paused_s).toBeUndefined();
  });

  test('has at most the whole time where the notes are on another phone', async () => {
    await start();
    await finish(45, 2400);
    await refuse();
    await store.retryDead(ANA, SWIM, { ended_at: at(20) });
    expect(await finishes()).toMatchObject([{ paused_s: 1200 }]);
  });

  test('has that of the two that became one', async () => {
    await start();
    await rest(10, 25);
    await finish(45, 900);
    await refuse();
    await store.retryDead(ANA, SWIM, { ended_at: at(50), paused_s: 1000 });
    expect(await finishes()).toMatchObject([{ ended_at: at(50), paused_s: 1000 }]);
    expect(await local()).toMatchObject({ ended_at: at(50), paused_s: 1000 });
  });
});

test('the times that a deletion is sent with hold no pause that the server would refuse', async () => {
  ahead_ms = 60 * MINUTE_MS;
  is_measured = false;
  await start();
  await rest(1, 44);
  await finish(45, 43 * 60);
  await store.saveOp(ANA, { kind: 'delete', ...about() });
  await store.correctTimes(ANA, async () => contact());
  const [{ ended_at, paused_s = 0 } = { ended_at: '' }] = await finishes();
  const [begun] = (await store.listOps(ANA)).map(({ payload }) => payload).filter((op) => op.kind === 'start');
  expect(paused_s * 1000).toBeLessThanOrEqual(Date.parse(ended_at) - Date.parse(begun?.started_at ?? ''));
});
