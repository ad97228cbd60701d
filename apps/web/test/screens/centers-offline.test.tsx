import { saveUserLocation } from '@sendlap/contract/locations.ts';
import { TILES_PATH } from '@sendlap/contract/map/tiles.ts';
import { searchCenters } from '@sendlap/domain/test/center-search.ts';
import { screen, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { runTurns } from '#test/unit/run-turns.ts';
import { saveSportCenters } from '#web/shared/local-db/sport-centers.ts';
import { deleteCopies, readCopies } from '../device/copies.ts';
import { stopTimersOf } from '../device/device-clock.ts';
import { setGeolocation } from '../device/geolocation.ts';
import { setTimeZone } from '../device/time-zone.ts';
import { POOL } from '../models/pool.ts';
import { openApp, type Phone } from '../open-app.ts';
import { NORA } from '../people.ts';
import { openAppWithActivities } from '../scenes/activity-scene.ts';
import { answerTowns, CENTERS, goToTown, openCenters, rowNames, waitForAnswer } from '../scenes/center-scene.ts';

const NOW = '2026-11-20T10:00:00Z';
/** After this time the app gives a request up. */
const REQUEST_TIMEOUT_MS = 10_000;
/** After this time without an answer the app says how old its data are. */
const SLOW_MS = 1_000;
const DAY_MS = 86_400_000;
const BEFORE_GETTING_READY_MS = 1_000;
const VIENNA = { latitude: 48.2082, longitude: 16.3719, accuracy: 20 };

interface Pinned {
  pinned: string[];
}

/** Returns the towns of the centers that the device has copies of. */
async function keptCities(): Promise<(string | null)[]> {
  const copies = await readCopies<{ value: { city: string | null } }>('sport_centers');
  return [...new Set(copies.map(({ value }) => value.city))];
}

async function pinnedCopies(): Promise<number> {
  const copies = [...(await readCopies<Pinned>('sport_centers')), ...(await readCopies<Pinned>('map_tiles'))];
  return copies.filter(({ pinned }) => pinned.length > 0).length;
}

/** Waits until the device has recorded that preparing for offline use is done. */
async function waitUntilReady({ passTime }: Phone): Promise<void> {
  await passTime(BEFORE_GETTING_READY_MS);
  await vi.waitFor(async () => {
    const notes = await readCopies<{ key: string }>('metadata');
    expect(notes.map(({ key }) => key)).toContain('last_preload');
  });
}

test('saving shows its progress, and cancelling it in the middle leaves nothing that only it needed', async () => {
  const phone = await openCenters({ now: NOW });
  const { server, user } = phone;
  await waitUntilReady(phone);
  await goToTown(phone, 'Barcelona');
  let given = 0;
  const never = new Promise<Response>(() => {});
  server.onRaw(`${TILES_PATH}/`, () => (given++ < 3 ? new Response(null, { status: 204 }) : never));
  await user.click(screen.getByRole('button', { name: 'Save offline' }));
  const dialog = await screen.findByRole('dialog', { name: 'Saved for offline' });
  const sheet = within(dialog);
  await user.click(await sheet.findByRole('button', { name: 'Save on this device' }));
  const progress = await sheet.findByRole<HTMLProgressElement>('progressbar', { name: 'Saving Barcelona' });
  await vi.waitFor(() => expect(progress.value).toBeGreaterThan(0.5));
  await vi.waitFor(() => expect(given).toBeGreaterThan(3));
  expect(await readCopies('saved_cities')).toHaveLength(1);
  expect(await pinnedCopies()).toBeGreaterThan(1);

  await user.click(sheet.getByRole('button', { name: 'Cancel' }));
  await sheet.findByRole('button', { name: 'Save on this device' });
  expect(sheet.queryByRole('progressbar')).toBeNull();
  // The pressed button is gone.
  expect(document.activeElement).toBe(dialog);
  expect(sheet.queryByText('Your cities')).toBeNull();
  expect(await readCopies('saved_cities')).toEqual([]);
  expect(await pinnedCopies()).toBe(0);
});

test('signed out and without network the saved centers can be browsed, and no banner is shown without any [spec 2.banner.browse-offline]', async () => {
  const note = 'You can browse the sport centers saved on this device.';
  const phone = await openCenters();
  const { user } = phone;
  const rows = rowNames();
  await vi.waitFor(async () => expect((await readCopies('sport_centers')).length).toBeGreaterThanOrEqual(rows.length));
  await user.click(screen.getByRole('link', { name: 'Profile' }));
  await user.click(await screen.findByRole('button', { name: 'Sign out' }));
  await screen.findByRole('button', { name: 'Sign in' });
  await runTurns();
  expect(screen.queryByText(note)).toBeNull();

  phone.setOnline(false);
  await phone.reload();
  await screen.findByText(note);
  await user.click(screen.getByRole('link', { name: 'Browse sport centers' }));
  await waitForAnswer();
  await screen.findByText(/^Offline, saved /);
  expect(rowNames()).toEqual(rows);
  const [first = ''] = rows;
  await user.click(screen.getByRole('link', { name: new RegExp(first) }));
  await screen.findByRole('heading', { level: 1, name: first });
  await screen.findByText(/^You're offline. Last updated: /);
  expect(screen.queryByRole('button', { name: /^Start / })).toBeNull();

  await deleteCopies('sport_centers');
  await phone.reload('/login');
  await screen.findByRole('button', { name: 'Sign in' });
  await runTurns();
  expect(screen.queryByText(note)).toBeNull();
});

test('a second after the start the surroundings of the device are kept, where it was allowed before to ask for them', async () => {
  setTimeZone('Europe/Madrid');
  setGeolocation('granted', VIENNA);
  const phone = await openApp({ now: NOW, prepare: answerTowns });
  await waitUntilReady(phone);
  expect(await keptCities()).toEqual(['Wien']);
});

test.each([
  ['in a town', VIENNA],
  ['far from all of them', { ...VIENNA, latitude: 47 }],
])(
  'where no athlete trains yet, the nearest centers are recommended for offline use: %s [spec 9.offline.recommended]',
  async (_, place) => {
    setGeolocation('granted', place);
    const phone = await openApp({ now: NOW, prepare: answerTowns });
    await waitUntilReady(phone);
    await phone.reload('/profile');
    await phone.user.click(await screen.findByRole('button', { name: 'See the saved data' }));
    const list = within(await screen.findByRole('region', { name: 'Recommended near you' }));
    const { latitude, longitude } = place;
    const [nearest] = searchCenters(CENTERS, { latitude, longitude });
    expect(list.getAllByRole('link')[0]?.textContent).toBe(nearest?.name);
  },
);

const keptPositions = () => readCopies<{ user_id: string; value: { latitude: number } }>('user_location');

test.each(['granted', 'prompt'] as const)(
  'the position of an athlete whom friends do not see is kept for its owner where it was allowed (%s) [spec 1.offline.location]',
  async (permission) => {
    setGeolocation(permission, VIENNA);
    const phone = await openApp({ now: NOW, prepare: answerTowns });
    await waitUntilReady(phone);
    const kept = permission === 'granted' ? [{ user_id: NORA.id, value: { latitude: VIENNA.latitude } }] : [];
    expect(await keptPositions()).toMatchObject(kept);
    expect(phone.server.asked(saveUserLocation)).toEqual([]);
  },
);

test('the position that an athlete shares by a tap is kept for its owner', async () => {
  const asked = setGeolocation('prompt', VIENNA);
  const { user } = await openCenters({ now: NOW });
  await user.click(await screen.findByRole('button', { name: 'Show where I am' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Use my position' }));
  await vi.waitFor(() => expect(asked.times).toBe(1));
  await vi.waitFor(async () => expect(await keptPositions()).toMatchObject([{ user_id: NORA.id }]));
});

test('where the device does not find its position, the surroundings of the one before are made ready', async () => {
  setTimeZone('Europe/Madrid');
  setGeolocation('granted', VIENNA);
  const phone = await openApp({ now: NOW, prepare: answerTowns });
  await waitUntilReady(phone);
  setGeolocation('granted', { failure: 3 });
  for (const store of ['sport_centers', 'metadata'] as const) await deleteCopies(store);
  await phone.reload();
  await waitUntilReady(phone);
  expect(await keptCities()).toEqual(['Wien']);
});

test('where it was never allowed the surroundings of the town of the clock are kept, also a second after the network came', async () => {
  setTimeZone('Europe/Madrid');
  const asked = setGeolocation('prompt', VIENNA);
  const phone = await openApp({ now: NOW, prepare: answerTowns });
  await waitUntilReady(phone);
  expect(await keptCities()).toEqual(['Madrid']);
  phone.setOnline(false);
  await deleteCopies('sport_centers');
  await deleteCopies('metadata');
  phone.setOnline(true);
  await waitUntilReady(phone);
  expect(await keptCities()).toEqual(['Madrid']);
  expect(asked.times).toBe(0);
});

test('a center that was just found has no age while the server is only slow', async () => {
  stopTimersOf(REQUEST_TIMEOUT_MS);
  const phone = await openCenters({ now: NOW });
  const [first = ''] = rowNames();
  phone.server.hang();
  await phone.user.click(screen.getByRole('link', { name: new RegExp(first) }));
  await screen.findByRole('heading', { level: 1, name: first });
  await phone.passTime(1_000);
  await runTurns();
  expect(screen.queryByText(/Last updated/)).toBeNull();
});

test('without a network a center that was just found has the age of its search, below the button that starts', async () => {
  const phone = await openCenters({ now: NOW });
  const [first = ''] = rowNames();
  phone.setOnline(false);
  await phone.user.click(screen.getByRole('link', { name: new RegExp(first) }));
  await screen.findByRole('heading', { level: 1, name: first });
  const age = await screen.findByText("You're offline. Last updated: now.");
  const start = await screen.findByRole('region', { name: 'Start here' });
  expect(start.compareDocumentPosition(age)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  phone.setOnline(true);
  await vi.waitFor(() => expect(screen.queryByText(/Last updated/)).toBeNull());
});

test('a center that the device never had says after five seconds without an answer that it still loads, until it comes', async () => {
  stopTimersOf(REQUEST_TIMEOUT_MS);
  const phone = await openAppWithActivities({ path: '/about' });
  await screen.findByRole('heading', { level: 1 });
  await runTurns();
  const answer = phone.server.hang();
  await phone.reload(`/sport-centers/${POOL.id}`);
  await screen.findByRole('status', { name: 'Loading' });
  await phone.passTime(5_000);
  const still_loads = 'This takes longer than usual. Still trying.';
  await screen.findByText(still_loads);
  answer();
  await screen.findByRole('button', { name: 'Start swimming' });
  expect(screen.queryByText(still_loads)).toBeNull();
});

/** Loads the list of centers, two days after this device has last read it, while the server is silent. */
async function reopenTwoDaysLater(phone: Phone): Promise<void> {
  stopTimersOf(REQUEST_TIMEOUT_MS);
  stopTimersOf(SLOW_MS);
  phone.server.hang();
  await phone.passTime(2 * DAY_MS);
  await phone.reload('/sport-centers');
}

test('a center past its 24 hours is not listed while the server may still answer, and is without a network, with its age [spec 9.cache.sport-centers]', async () => {
  const phone = await openCenters({ now: NOW });
  const rows = rowNames();
  await vi.waitFor(async () => expect((await readCopies('sport_centers')).length).toBeGreaterThanOrEqual(rows.length));
  await reopenTwoDaysLater(phone);
  await screen.findByRole('status', { name: 'Loading' });
  await runTurns();
  expect(rowNames()).toEqual([]);
  phone.setOnline(false);
  await screen.findByText('Offline, saved 20 Nov');
  expect(rowNames()).toEqual(rows);
});

test('the centers of a saved city have no lifetime: they are listed at once', async () => {
  const phone = await openCenters({ now: NOW });
  const rows = rowNames();
  await saveSportCenters(CENTERS, 'geonames:3117735');
  await reopenTwoDaysLater(phone);
  await vi.waitFor(() => expect(rowNames()).toEqual(rows));
  screen.getByText('Searching…');
});
