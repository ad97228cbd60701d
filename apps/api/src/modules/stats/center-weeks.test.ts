import { randomUUID } from 'node:crypto';
import { type CenterWeek, getCenterWeeks } from '@sendlap/contract/center-management/center-weeks.ts';
import { isoWeekAt, localDate } from '@sendlap/domain/dates.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { makeCenter } from '#test/factories.ts';
import { callEndpoint } from '#test/scenes/managed-center.ts';
import { makeManager, makeOperator } from '#test/scenes/right-holders.ts';

/** A Thursday: the running week is 2026-W48. */
const NOW = new Date('2026-11-26T10:00:00Z');
const LAST_WEEK = new Date('2026-11-17T10:00:00Z');
const HOUR_MS = 3_600_000;

let api: TestApp;
let center: string;
let mia: SignedIn;
let athletes: SignedIn[];
beforeAll(async () => {
  api = await buildTestApp({ now: () => NOW });
  athletes = await Promise.all(Array.from({ length: 8 }, (_, at) => api.signIn(`Athlete ${at}`)));
});
afterAll(() => api.close());
beforeEach(async () => {
  await api.database.deleteFrom('activities').execute();
  center = await makeCenter(api.database);
  mia = await makeManager(api, 'Mia', center);
});

interface Swim {
  sport_type?: Sport;
  distance_m?: number | null;
  is_confirmed?: boolean;
  status?: 'finished' | 'deleted' | 'rejected';
  sport_center_id?: string;
}

/** An hour of this athlete's at the center. */
async function record(who: SignedIn | undefined, started_at: Date, swim: Swim = {}) {
  const { sport_type = 'swimming', distance_m = 1000, is_confirmed = false, status = 'finished' } = swim;
  await api.database
    .insertInto('activities')
    .values({
      id: randomUUID(),
      user_id: who?.user.id ?? '',
      sport_center_id: swim.sport_center_id ?? center,
      sport_type,
      started_at,
      ended_at: new Date(started_at.getTime() + HOUR_MS),
      status: is_confirmed ? 'validated' : status,
      validation: is_confirmed ? 'venue' : 'none',
      distance_m,
      rule_version: 'met-2',
      local_date: localDate(started_at.getTime(), 'Europe/Madrid'),
      week_key: isoWeekAt(started_at.getTime(), 'Europe/Madrid'),
    })
    .execute();
}

async function read(): Promise<CenterWeek[]> {
  const { data } = await callEndpoint(api, getCenterWeeks, { who: mia, params: { id: center } });
  return data.weeks;
}

test('a center that does not exist is refused', async () => {
  const operator = await makeOperator(api, 'Olga');
  const reply = await callEndpoint(api, getCenterWeeks, { who: operator, params: { id: randomUUID() } });
  expect([reply.status, reply.code]).toEqual([404, 'sport_center_not_found']);
});

test('eight weeks without activities have no numbers', async () => {
  const weeks = await read();
  expect(weeks.map(({ week_key }) => week_key)).toEqual(
    [48, 47, 46, 45, 44, 43, 42, 41].map((week) => `2026-W${week}`),
  );
  expect(weeks[0]).toEqual({
    week_key: '2026-W48',
    starts_on: '2026-11-23',
    is_running: true,
    total: null,
    sports: null,
    confirmed_percent: null,
  });
});

test('four athletes are in no number, five are', async () => {
  for (const who of athletes.slice(0, 4)) await record(who, LAST_WEEK, { is_confirmed: true });
  expect((await read())[1]).toMatchObject({ total: null, sports: null, confirmed_percent: null });
  await record(athletes[4], LAST_WEEK, { is_confirmed: true });
  expect((await read())[1]).toEqual({
    week_key: '2026-W47',
    starts_on: '2026-11-16',
    is_running: false,
    total: { people: 5, activities: 5, hours: 5 },
    sports: [
      { sport: 'climbing', activities: 0, hours: 0, metres: null },
      { sport: 'swimming', activities: 5, hours: 5, metres: 5000 },
    ],
    confirmed_percent: 100,
  });
});

test('one climber beside the swimmers hides both sports, not the total', async () => {
  for (const who of athletes.slice(0, 7)) await record(who, LAST_WEEK);
  await record(athletes[7], LAST_WEEK, { sport_type: 'climbing', distance_m: null });
  expect((await read())[1]).toMatchObject({ total: { people: 5, activities: 5 }, sports: null });
});

test('activities that were deleted or rejected, are elsewhere, or are of a locked account do not count', async () => {
  for (const who of athletes.slice(0, 4)) await record(who, LAST_WEEK);
  const after = new Date(LAST_WEEK.getTime() + 2 * HOUR_MS);
  await record(athletes[5], LAST_WEEK, { status: 'deleted' });
  await record(athletes[6], LAST_WEEK, { status: 'rejected' });
  await record(athletes[7], LAST_WEEK, { sport_center_id: await makeCenter(api.database) });
  const gone = await api.signIn('Gone');
  await record(gone, after);
  await api.app.inject({ method: 'DELETE', url: '/v1/users/me', headers: gone.headers });
  // One more would make five, the fewest that are shown.
  expect((await read())[1]?.total).toBeNull();
});

test('numbers of the running week are rounded down', async () => {
  for (const who of athletes) await record(who, new Date('2026-11-24T10:00:00Z'));
  expect((await read())[0]).toMatchObject({ is_running: true, total: { people: 5, activities: 5, hours: 5 } });
});
