import { randomUUID } from 'node:crypto';
import { getServerOverview, listStaffedCenters } from '@sendlap/contract/server-management/overview.ts';
import type { Endpoint } from '@sendlap/contract/wire/endpoint.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { makeCenter } from '#test/factories.ts';
import { makeOperator } from '#test/scenes/right-holders.ts';

let api: TestApp;
let olga: SignedIn;
beforeAll(async () => {
  api = await buildTestApp();
  olga = await makeOperator(api, 'Olga');
});
afterAll(() => api.close());

const read = async ({ path }: Endpoint) => (await api.app.inject({ url: path, headers: olga.headers })).json().data;

test('the centers with a referee or a kiosk are listed, those of revoked kiosks and locked referees are not', async () => {
  const [pool, wall] = [await makeCenter(api.database), await makeCenter(api.database)];
  const kiosk = { token_hash: Buffer.from(pool), sport_center_id: pool };
  const revoked = { token_hash: Buffer.from(wall), sport_center_id: wall, revoked_at: new Date() };
  await api.database
    .insertInto('kiosks')
    .values([
      { ...kiosk, id: randomUUID() },
      { ...revoked, id: randomUUID() },
    ])
    .execute();
  const [rex, sam] = [await api.signIn('Rex'), await api.signIn('Sam')];
  const right = { sport_types: ['climbing' as const], granted_by: 'test', valid_from: new Date(0), valid_until: null };
  await api.database
    .insertInto('referees')
    .values([
      { ...right, id: randomUUID(), user_id: rex.user.id, sport_center_id: pool },
      { ...right, id: randomUUID(), user_id: sam.user.id, sport_center_id: wall },
    ])
    .execute();
  await api.database.updateTable('users').set({ is_active: false }).where('id', '=', sam.user.id).execute();
  const { items } = await read(listStaffedCenters);
  const found = items.filter(({ id }: { id: string }) => id === pool || id === wall);
  expect(found).toEqual([
    {
      id: pool,
      name: expect.any(String),
      city: 'Bilbao',
      is_closed: false,
      referees: 1,
      kiosks: 1,
      kiosk_used_at: expect.any(String),
    },
  ]);
  expect((await read(getServerOverview)).counts.staffed_centers).toBe(items.length);
});

test('the overview has counts, version, disk and abilities of the server', async () => {
  const data = await read(getServerOverview);
  expect(data).toMatchObject({ has_mail: false, has_accounts: true, running_loads: 0 });
  expect(data.version).toMatch(/^\d+\.\d+/);
  expect(data.database_bytes).toBeGreaterThan(1_000_000);
  expect(data.disk === null || data.disk.free_bytes <= data.disk.total_bytes).toBe(true);
  const { people } = data.counts;
  await api.signIn('New');
  expect((await read(getServerOverview)).counts).toMatchObject({
    people: people + 1,
    open_reports: 0,
    open_reviews: 0,
  });
});
