import 'fake-indexeddb/auto';
import type { Op } from '@sendlap/contract/activities.ts';
import type { ClockMeasurement, ClockNote } from '@sendlap/domain/recording/clock-correction.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '#test/unit/outbox-store.ts';
import type { OutboxStore } from './store.ts';

const ANA = '11111111-1111-4111-8111-111111111111';
const SWIM = '22222222-2222-4222-8222-222222222222';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const at = (hour: string) => `2026-11-21T${hour}:00.000Z`;
const ms = (hour: string) => Date.parse(at(hour));
const inDays = (days: number, hour: string) => new Date(ms(hour) + days * DAY_MS).toISOString();

const facts = {
  sport_center_id: crypto.randomUUID(),
  sport_center_name: 'Piscina Sant Jordi',
  sport_type: 'swimming',
  started_at: at('10:00'),
  intensity: null,
} as const;

let store: OutboxStore;
let clock: ClockNote | null;

/** The clock was right at 9:00, at the last contact. Since then the page was loaded again. */
const RIGHT: ClockMeasurement = { wall_ms: ms('09:00'), monotonic_ms: 0, page_id: 'old', offset_ms: 0 };

/** The device's clock shows this when an op is saved. */
function show(wall_ms: number, before: ClockMeasurement | null = RIGHT): void {
  clock = { moment: { wall_ms, monotonic_ms: 0, page_id: 'page' }, before };
}

/** The next contact, at 12:00, in another page, with a clock that is so far ahead. */
const contact = (ahead_ms: number): ClockMeasurement => ({
  wall_ms: ms('12:00') + ahead_ms,
  monotonic_ms: 0,
  page_id: 'next',
  offset_ms: -ahead_ms,
});

const about = () => ({ op_id: crypto.randomUUID(), client_id: SWIM });
const startAt = (started_at: string): Op => ({
  kind: 'start',
  ...about(),
  sport_center_id: facts.sport_center_id,
  sport_type: 'swimming',
  started_at,
});
const finishAt = (ended_at: string): Op => ({ kind: 'finish', ...about(), ended_at });
const editAt = (edited_at: string): Op => ({ kind: 'edit', ...about(), edited_at, ended_at: inDays(3, '10:50') });
const scanAt = (scanned_at: string): Op => ({
  kind: 'scan',
  ...about(),
  decision: 'confirm',
  scanned_at,
  clock: { offset_ms: 0, age_ms: null },
  payload: 'A'.repeat(40),
});

async function save(op: Op): Promise<void> {
  await store.saveOp(ANA, op, { facts: { ...facts, ...(op.kind === 'start' ? { started_at: op.started_at } : {}) } });
}

const correct = (ahead_ms: number) => store.correctTimes(ANA, async () => contact(ahead_ms));
const payloads = async () => (await store.listOps(ANA)).map(({ payload }) => payload);

beforeEach(async () => {
  clock = null;
  ({ store } = await openStore({ now: () => ms('12:00'), clockNote: () => clock }));
});

describe('times that cannot be known', () => {
  /** An hour ahead since some time between 9:00 and 12:00. */
  beforeEach(async () => {
    show(ms('11:00'));
    await save(startAt(at('11:00')));
    show(ms('11:30'));
    await save(finishAt(at('11:30')));
    await correct(HOUR_MS);
  });

  test('are not sent; the activity waits with the times that it may have had, in the order of a clock', async () => {
    const { ops, dead, activities } = await store.listRows(ANA);
    expect(ops).toEqual([]);
    expect(dead.map(({ kind, code }) => [kind, code])).toEqual([
      ['start', 'clock_unsure'],
      ['finish', 'clock_unsure'],
    ]);
    expect(dead[0]?.proposals).toEqual([
      { started_at: at('10:00'), ended_at: at('10:30') },
      { started_at: at('10:00'), ended_at: at('11:30') },
      { started_at: at('11:00'), ended_at: at('11:30') },
    ]);
    expect(activities).toMatchObject([{ started_at: at('10:00'), ended_at: at('10:30') }]);
  });

  test('are sent as the athlete says, and are not asked again', async () => {
    await store.retryDead(ANA, SWIM, { started_at: at('11:00'), ended_at: at('11:30') });
    await correct(HOUR_MS);
    expect(await payloads()).toMatchObject([{ started_at: at('11:00') }, { ended_at: at('11:30') }]);
  });
});

test('times that were never in doubt are not measured, and stay', async () => {
  await save(startAt(at('10:00')));
  await store.correctTimes(ANA, async () => {
    throw new Error('measured');
  });
  expect(await payloads()).toMatchObject([{ started_at: at('10:00') }]);
});

test('a server that does not send its time changes nothing', async () => {
  show(ms('10:00'));
  await save(startAt(at('10:00')));
  await store.correctTimes(ANA, async () => null);
  expect((await store.listOps(ANA))[0]).toMatchObject({ payload: { started_at: at('10:00') }, clock: {} });
});

test('a clock that was right is only noted as such, after sleep or a reload', async () => {
  show(ms('10:00'));
  const start = startAt(at('10:00'));
  await save(start);
  await correct(0);
  const [row] = await store.listOps(ANA);
  expect(row?.payload).toEqual(start);
  expect(row).not.toHaveProperty('clock');
  expect((await store.listRows(ANA)).activities[0]).not.toHaveProperty('corrected_ms');
});

describe.each([
  ['ahead', 3],
  ['behind', -3],
])('a clock 3 days %s', (_way, days) => {
  const ahead_ms = days * DAY_MS;

  test('is corrected in all ops and on the screen, once, with a note to the athlete until it was read', async () => {
    show(ms('10:00') + ahead_ms);
    await save(startAt(inDays(days, '10:00')));
    show(ms('10:45') + ahead_ms);
    await save(finishAt(inDays(days, '10:45')));
    await correct(ahead_ms);
    await correct(ahead_ms);
    expect(await payloads()).toMatchObject([{ started_at: at('10:00') }, { ended_at: at('10:45') }]);
    const corrected = { started_at: at('10:00'), ended_at: at('10:45'), corrected_ms: -ahead_ms };
    expect((await store.listRows(ANA)).activities).toMatchObject([corrected]);
    await store.dismissCorrections(ANA);
    expect((await store.listRows(ANA)).activities[0]).not.toHaveProperty('corrected_ms');
  });

  test('set while the activity ran: only its end is corrected', async () => {
    await save(startAt(at('10:00')));
    show(ms('10:45') + ahead_ms);
    // The app lets no end come before the start.
    await save(finishAt(days > 0 ? inDays(days, '10:45') : '2026-11-21T10:00:01.000Z'));
    await correct(ahead_ms);
    expect(await payloads()).toMatchObject([{ started_at: at('10:00') }, { ended_at: at('10:45') }]);
  });

  test('also moved the end and the correction that the athlete entered beside the wrong start', async () => {
    show(ms('10:00') + ahead_ms);
    await save(startAt(inDays(days, '10:00')));
    show(ms('11:30') + ahead_ms);
    await save(finishAt(inDays(days, '10:45')));
    const edit = { ...editAt(inDays(days, '11:30')), ended_at: inDays(days, '10:50') } as Op;
    await save(edit);
    await correct(ahead_ms);
    expect(await payloads()).toMatchObject([
      { started_at: at('10:00') },
      { ended_at: at('10:45') },
      { edited_at: at('11:30'), ended_at: at('10:50') },
    ]);
  });
});

test('an end that the athlete entered beside a right start is not changed', async () => {
  await save(startAt(at('10:00')));
  show(ms('11:30') + 3 * DAY_MS);
  await save(finishAt(at('10:45')));
  await correct(3 * DAY_MS);
  expect(await payloads()).toMatchObject([{}, { ended_at: at('10:45') }]);
});

test('a device that was never measured has its clock corrected by the first contact; a scan keeps its raw time', async () => {
  show(ms('10:00') - HOUR_MS, null);
  await save(startAt(at('09:00')));
  await save(scanAt(at('09:00')));
  await correct(-HOUR_MS);
  expect(await payloads()).toMatchObject([
    { started_at: at('10:00') },
    { scanned_at: at('09:00'), clock: { offset_ms: HOUR_MS, age_ms: 0 } },
  ]);
});

/** Starts, taps "Finish" five minutes later by mistake, and undoes that. The clock is so far ahead all the time. */
async function startAndUndoFinish(ahead_ms: number): Promise<void> {
  const text = (hour: string) => new Date(ms(hour) + ahead_ms).toISOString();
  show(ms('10:00') + ahead_ms);
  await save(startAt(text('10:00')));
  show(ms('10:05') + ahead_ms);
  await store.saveOp(ANA, finishAt(text('10:05')), { facts, undo_ms: 5_000 });
  await store.reopen(ANA, { kind: 'reopen', ...about() }, facts);
}

describe('an activity whose finish was undone', () => {
  test.each([
    ['after its times were corrected', 3 * DAY_MS],
    ['while the athlete is asked when it began', HOUR_MS],
  ])('runs on %s', async (_when, ahead_ms) => {
    await startAndUndoFinish(ahead_ms);
    await correct(ahead_ms);
    expect((await store.listRows(ANA)).activities).toMatchObject([{ ended_at: null }]);
  });

  test('and that was finished later has its last end in the times that it may have had', async () => {
    await startAndUndoFinish(HOUR_MS);
    show(ms('10:40') + HOUR_MS);
    await save(finishAt(at('11:40')));
    await correct(HOUR_MS);
    const { dead } = await store.listRows(ANA);
    expect(dead[0]?.proposals).toContainEqual({ started_at: at('10:00'), ended_at: at('10:40') });
  });
});

describe('an activity with times that the athlete must state', () => {
  beforeEach(async () => {
    show(ms('11:00'));
    await save(startAt(at('11:00')));
    show(ms('11:30'));
    await save(finishAt(at('11:30')));
  });

  test('is not given the end of an earlier correction after the athlete has answered', async () => {
    await save({ kind: 'edit', ...about(), edited_at: at('11:35'), ended_at: at('11:25') });
    await correct(HOUR_MS);
    await store.retryDead(ANA, SWIM, { started_at: at('10:00'), ended_at: at('10:30') });
    expect((await payloads()).filter((op) => op.kind === 'edit' && op.ended_at === at('11:25'))).toEqual([]);
  });

  test('is not asked about if the athlete has deleted it', async () => {
    await save({ kind: 'delete', ...about() });
    await correct(HOUR_MS);
    expect((await store.listRows(ANA)).dead).toEqual([]);
  });
});
