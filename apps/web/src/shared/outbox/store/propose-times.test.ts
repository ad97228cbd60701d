import 'fake-indexeddb/auto';
import type { Op } from '@sendlap/contract/activities.ts';
import type { ClockMeasurement, ClockNote } from '@sendlap/domain/recording/clock-correction.ts';
import { beforeEach, expect, test } from 'vitest';
import { openStore } from '#test/unit/outbox-store.ts';
import type { OutboxStore } from './store.ts';

/** Times that the athlete is offered for a swim from 10:00 to 10:45, of which nothing tells the start. */

const ANA = '11111111-1111-4111-8111-111111111111';
const SWIM = '22222222-2222-4222-8222-222222222222';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const at = (hour: string) => `2026-11-21T${hour}:00.000Z`;
const ms = (hour: string) => Date.parse(at(hour));
const text = (epoch_ms: number) => new Date(epoch_ms).toISOString();

let store: OutboxStore;
let clock: ClockNote | null;

/** The last contact, at 9:00, and the next one, at 12:00: each in another page, with a clock that is so far ahead. */
const contact = (hour: string, ahead_ms: number): ClockMeasurement => ({
  wall_ms: ms(hour) + ahead_ms,
  monotonic_ms: 0,
  page_id: hour,
  offset_ms: -ahead_ms,
});

async function save(op: Op, note: ClockNote | null): Promise<void> {
  clock = note;
  const facts = {
    sport_center_id: SWIM,
    sport_center_name: 'Piscina',
    sport_type: 'swimming',
    intensity: null,
  } as const;
  await store.saveOp(ANA, op, { facts: { ...facts, started_at: at('10:00') } });
}

const about = () => ({ op_id: crypto.randomUUID(), client_id: SWIM });
const start = (started_at: string): Op => ({
  kind: 'start',
  ...about(),
  sport_center_id: SWIM,
  sport_type: 'swimming',
  started_at,
});
const finish = (ended_at: string): Op => ({ kind: 'finish', ...about(), ended_at });
const note = (wall_ms: number, before: ClockMeasurement, page_id = 'swim'): ClockNote => ({
  moment: { wall_ms, monotonic_ms: 0, page_id },
  before,
});

/** Returns the offers after this contact, which all refused ops of the activity have. */
async function offersAfter(measurement: ClockMeasurement) {
  await store.correctTimes(ANA, async () => measurement);
  const { ops, dead, activities } = await store.listRows(ANA);
  expect(ops).toEqual([]);
  const [offers, ...others] = dead.map(({ proposals }) => proposals);
  for (const other of others) expect(other).toEqual(offers);
  expect(activities).toMatchObject([offers?.[0] ?? {}]);
  return offers;
}

beforeEach(async () => {
  ({ store } = await openStore({ now: () => ms('12:00'), clockNote: () => clock }));
});

test('are those before an end that is known, although the app had saved it as just after a later start', async () => {
  const before = contact('09:00', HOUR_MS);
  await save(start(at('10:00')), note(ms('11:00'), before));
  // The clock is set right. The page of the finish makes the next contact, an hour and a quarter later.
  await save(finish(text(ms('10:00') + 1_000)), note(ms('10:45'), before, '12:00'));
  const offers = await offersAfter({ ...contact('12:00', 0), monotonic_ms: 75 * 60_000 });
  expect(offers).toEqual([{ started_at: at('10:00'), ended_at: at('10:45') }]);
});

test('keep the end that a measured clock saved, also if that clock is ahead', async () => {
  await save(start(at('11:00')), note(ms('11:00'), contact('09:00', 0)));
  await save(finish(at('11:30')), null);
  expect(await offersAfter(contact('12:00', HOUR_MS))).toEqual([
    { started_at: at('10:00'), ended_at: at('11:30') },
    { started_at: at('11:00'), ended_at: at('11:30') },
  ]);
});

test.each([3, -3])(
  'of a clock set %i days ahead and right again are a usual visit before the known end',
  async (days) => {
    const before = contact('09:00', 0);
    const wrong_ms = ms('10:00') + days * DAY_MS;
    await save(start(text(wrong_ms)), note(wrong_ms, before));
    // The app lets no end come before the start.
    await save(finish(text(Math.max(wrong_ms + 1_000, ms('10:45')))), note(ms('10:45'), before, 'again'));
    expect(await offersAfter(contact('12:00', 0))).toEqual([{ started_at: at('09:15'), ended_at: at('10:45') }]);
  },
);

test.each([
  ['by the right clock', ms('10:40'), { started_at: at('09:10'), ended_at: at('10:40') }],
  ['beside the wrong start', ms('11:30') - 3 * DAY_MS, { started_at: at('09:15'), ended_at: at('10:45') }],
])('of a clock set 3 days back and right again, with an end that was entered %s', async (_how, ended_at, offer) => {
  const before = contact('09:00', 0);
  const wrong_ms = ms('10:00') - 3 * DAY_MS;
  await save(start(text(wrong_ms)), note(wrong_ms, before));
  // By then the activity seems forgotten, and the app asks for its end.
  await save(finish(text(ended_at)), note(ms('10:45'), before, 'again'));
  expect(await offersAfter(contact('12:00', 0))).toEqual([offer]);
});

test('of a clock set back and right again around the finish, days before the contact, are a usual visit', async () => {
  await save(start(at('10:00')), null);
  await save(finish(text(ms('10:00') + 1_000)), note(ms('10:45') - 9 * DAY_MS, contact('09:00', 0)));
  const late = { ...contact('12:00', 0), wall_ms: ms('12:00') + 2 * DAY_MS };
  expect(await offersAfter(late)).toEqual([{ started_at: at('10:00'), ended_at: at('11:30') }]);
});

test('of such a start soon after the last contact begin with that contact', async () => {
  const before = contact('09:00', 0);
  await save(start(text(ms('09:10') + DAY_MS)), note(ms('09:10') + DAY_MS, before));
  await save(finish(text(ms('09:10') + DAY_MS + 1_000)), note(ms('09:50'), before, 'again'));
  expect(await offersAfter(contact('12:00', 0))).toEqual([{ started_at: at('09:00'), ended_at: at('09:50') }]);
});

test('of a clock set ahead for the start alone are a usual visit before the end: as no move was left, both times seem known', async () => {
  const before = contact('09:00', 0);
  await save(start(at('11:30')), note(ms('11:30'), before));
  await save(finish(text(ms('11:30') + 1_000)), note(ms('10:45'), before, 'again'));
  expect(await offersAfter(contact('12:00', 0))).toEqual([{ started_at: at('09:15'), ended_at: at('10:45') }]);
});
