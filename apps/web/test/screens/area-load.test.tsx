import { type AreaLoad, cancelAreaLoad, getAreaLoad, requestAreaLoad } from '@sendlap/contract/area-loads.ts';
import { searchSportCenters } from '@sendlap/contract/sport-centers.ts';
import { screen } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { POOL } from '../models/pool.ts';
import { LOAD } from '../models/setup-model.ts';
import { openApp } from '../open-app.ts';

const REPORT = { read: 3, imported: 1, updated: 0, unchanged: 0, merged: 0, refused: 2, closed: 0, missing: 0 };

/** The list of centers around the default city, which has none until the test sets `has_pool`. */
async function openEmptyArea(options: Parameters<typeof openApp>[0] = {}) {
  const { prepare, ...rest } = options;
  const current = { load: { ...LOAD } as AreaLoad, has_pool: false };
  const phone = await openApp({
    path: '/sport-centers',
    ...rest,
    prepare: (server) => {
      server.on(searchSportCenters, () => ({
        items: current.has_pool ? [{ ...POOL, distance_km: 1 }] : [],
        total: current.has_pool ? 1 : 0,
        total_is_lower_bound: false,
        next_cursor: null,
      }));
      server.on(requestAreaLoad, () => current.load);
      server.on(getAreaLoad, () => current.load);
      server.on(cancelAreaLoad, () => {
        current.load = { ...current.load, status: 'cancelled', finished_at: LOAD.requested_at };
        return current.load;
      });
      prepare?.(server);
    },
  });
  return { ...phone, current };
}

const LOAD_BUTTON = { name: 'Load this area from OpenStreetMap' };

test('an area that the server refuses to load says why, and can be requested again', async () => {
  const { user, server } = await openEmptyArea({
    prepare: (fake) => fake.refuse(requestAreaLoad, 'area_loads_restricted'),
  });
  await user.click(await screen.findByRole('button', LOAD_BUTTON));
  await screen.findByText('On this server only operators load areas. Ask them.');
  server.heal(requestAreaLoad);
  await user.click(screen.getByRole('button', LOAD_BUTTON));
  await screen.findByText('Asking OpenStreetMap…');
});

test.each([
  ['en', 'Load this area from OpenStreetMap', 'Asking OpenStreetMap…', /^1 new center/],
  ['es', 'Cargar esta zona desde OpenStreetMap', 'Consultando OpenStreetMap…', /^1 centro nuevo/],
] as const)(
  'where nothing is near, an athlete loads the area, and the list fills automatically, in %s',
  async (language, button, asking, done) => {
    const { user, server, current } = await openEmptyArea({ language });
    await user.click(await screen.findByRole('button', { name: button }));
    await screen.findByText(asking);
    expect(server.asked(requestAreaLoad)[0]?.body).toMatchObject({ radius_km: expect.any(Number) });
    current.load = { ...LOAD, status: 'done', report: REPORT, finished_at: LOAD.requested_at };
    await screen.findByText(done);
    current.has_pool = true;
    await screen.findByRole('link', { name: new RegExp(POOL.name) });
  },
);

test('where the nearest center is far, the load comes before the list', async () => {
  await openEmptyArea({
    prepare: (server) =>
      server.on(searchSportCenters, () => ({
        items: [{ ...POOL, distance_km: 800 }],
        total: 1,
        total_is_lower_bound: false,
        next_cursor: null,
      })),
  });
  const button = await screen.findByRole('button', LOAD_BUTTON);
  const link = await screen.findByRole('link', { name: new RegExp(POOL.name) });
  expect(button.compareDocumentPosition(link) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  expect(screen.queryByText('Is a center missing?')).toBeNull();
});

test('a load that fails, or is cancelled, says that nothing was changed', async () => {
  const { user, current } = await openEmptyArea();
  await user.click(await screen.findByRole('button', LOAD_BUTTON));
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  await screen.findByText('Cancelled. Nothing was changed.');
  current.load = { ...LOAD, status: 'failed', failure: null, finished_at: LOAD.requested_at };
  await user.click(screen.getByRole('button', LOAD_BUTTON));
  await screen.findByText(/^This area could not be loaded\. Nothing was changed/);
});

test('offline it needs a connection', async () => {
  const phone = await openEmptyArea();
  await screen.findByRole('button', LOAD_BUTTON);
  phone.setOnline(false);
  const button = await screen.findByRole('button', { name: /: Needs a connection$/ });
  expect(button).toHaveProperty('disabled', true);
});
