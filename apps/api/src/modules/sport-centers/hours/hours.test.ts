import { getCenterHours, updateCenterHours } from '@sendlap/contract/center-management/center-hours.ts';
import type { OpeningHours } from '@sendlap/contract/wire/opening-hours.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { makeCenter } from '#test/factories.ts';
import { callEndpoint } from '#test/scenes/managed-center.ts';
import { makeManager } from '#test/scenes/right-holders.ts';
import { createSportCenterService } from '../service.ts';

const NEVER: OpeningHours['weekly'] = Array(7).fill([]);
const MORNING = { opens: '07:00', closes: '13:00' };
const NIGHT = { opens: '18:00', closes: '01:30' };
const WEEKLY = [[NIGHT, MORNING], [MORNING], [], [], [], [], []];
const GALA = { from: '2026-12-24', until: '2026-12-26', reason: 'Gala' };

let api: TestApp;
let center: string;
let mia: SignedIn;
beforeAll(async () => {
  api = await buildTestApp();
});
afterAll(() => api.close());
beforeEach(async () => {
  await api.database.deleteFrom('audit_entries').execute();
  center = await makeCenter(api.database);
  mia = await makeManager(api, 'Mia', center);
});

const read = async () => (await callEndpoint(api, getCenterHours, { who: mia, params: { id: center } })).data;
const update = (body: object, who = mia) =>
  callEndpoint(api, updateCenterHours, { who, params: { id: center }, body: { version: 0, ...body } });
const acts = () => api.database.selectFrom('audit_entries').select(['act', 'actor_id', 'details']).execute();
const onMonday = (...intervals: object[]) => [intervals, ...NEVER.slice(1)];

describe('refused, and nothing is changed:', () => {
  test('the 31st change of an hour, to this manager alone', async () => {
    const ofVersion = (version: number) => ({ version, weekly: NEVER, closed_days: version % 2 ? [] : [GALA] });
    for (let version = 0; version < 30; version += 1) expect((await update(ofVersion(version))).status).toBe(200);
    expect(await update(ofVersion(30))).toMatchObject({ status: 429, code: 'too_many_requests' });
    expect([(await read()).version, (await acts()).length]).toEqual([30, 30]);
    expect((await update(ofVersion(30), await makeManager(api, 'Noa', center))).status).toBe(200);
  });

  test.each([
    ['six days', { weekly: NEVER.slice(1), closed_days: [] }],
    ['a time that no clock shows', { weekly: onMonday({ opens: '7:00', closes: '24:00' }), closed_days: [] }],
    ['an interval without an end', { weekly: onMonday({ opens: '07:00' }), closed_days: [] }],
    ['overlapping intervals', { weekly: onMonday(MORNING, { opens: '12:00', closes: '14:00' }), closed_days: [] }],
    ['too many intervals', { weekly: onMonday(...Array(5).fill(MORNING)), closed_days: [] }],
    ['a day that does not exist', { weekly: NEVER, closed_days: [{ ...GALA, from: '2026-02-30' }] }],
    ['days that end before they begin', { weekly: NEVER, closed_days: [{ ...GALA, until: '2026-12-23' }] }],
    ['days that last for years', { weekly: NEVER, closed_days: [{ ...GALA, until: '2029-12-23' }] }],
    ['a long reason', { weekly: NEVER, closed_days: [{ ...GALA, reason: 'x'.repeat(101) }] }],
    ['an invisible reason', { weekly: NEVER, closed_days: [{ ...GALA, reason: '\u200b' }] }],
    ['too many closed days', { weekly: NEVER, closed_days: Array(61).fill(GALA) }],
    ['no closed days', { weekly: NEVER }],
  ])('%s', async (_name, body) => {
    expect(await update(body)).toMatchObject({ status: 400, code: 'validation_failed' });
    expect([(await read()).version, await acts()]).toEqual([0, []]);
  });

  test('a change of a version that another manager has changed', async () => {
    await update({ weekly: WEEKLY, closed_days: [] });
    const noa = await makeManager(api, 'Noa', center);
    expect(await update({ weekly: NEVER, closed_days: [GALA] }, noa)).toMatchObject({
      status: 409,
      code: 'center_changed',
    });
    expect([(await read()).version, (await acts()).length]).toEqual([1, 1]);
  });
});

test('hours are not known at first; then they are stored in order, and a repeat changes nothing', async () => {
  expect(await read()).toEqual({ version: 0, weekly: NEVER, closed_days: [], time_zone: 'Europe/Madrid' });
  const body = { weekly: WEEKLY, closed_days: [GALA, { from: '2026-12-01', until: '2026-12-01', reason: null }] };
  const { data } = await update(body);
  expect(data.weekly[0]).toEqual([MORNING, NIGHT]);
  expect(data.closed_days.map(({ from }: { from: string }) => from)).toEqual(['2026-12-01', '2026-12-24']);
  expect((await update(body)).data).toEqual(data);
  expect(await acts()).toEqual([
    { act: 'center_hours_changed', actor_id: mia.user.id, details: { sport_center_id: center } },
  ]);
});

test('of two managers at once one sets the hours', async () => {
  const noa = await makeManager(api, 'Noa', center);
  const replies = await Promise.all([
    update({ weekly: WEEKLY, closed_days: [] }),
    update({ weekly: NEVER, closed_days: [GALA] }, noa),
  ]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('only the page of the center shows them, and every change makes a new version of the centers', async () => {
  const service = await createSportCenterService({ database: api.database });
  const dataOf = ({ body }: { body: Buffer | string }) => JSON.parse(String(body)).data;
  const { version } = service;
  expect(dataOf(service.getSportCenter(center))).not.toHaveProperty('opening_hours');
  await update({ weekly: WEEKLY, closed_days: [GALA] });
  await service.refresh();
  expect(service.version).not.toBe(version);
  expect(dataOf(service.getSportCenter(center)).opening_hours).toEqual({
    weekly: [[MORNING, NIGHT], [MORNING], [], [], [], [], []],
    closed_days: [GALA],
  });
  const { items } = dataOf(service.listSportCenters({ limit: 100 }));
  expect(items.find(({ id }: { id: string }) => id === center)).not.toHaveProperty('opening_hours');
  service.close();
});
