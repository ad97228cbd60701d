import { saveBioInfo, updateBioInfo } from '@sendlap/contract/bio-info.ts';
import type { LiveEvent } from '@sendlap/contract/events.ts';
import { saveUserLocation } from '@sendlap/contract/locations.ts';
import { deleteMe, updateSettings } from '@sendlap/contract/users.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { openSseReader, type SseReader } from '#test/app/sse-reader.ts';
import { befriend, makeCenter } from '#test/factories.ts';
import { send } from '#test/scenes/filled-person.ts';
import { createLocationPurge } from './location-purge.ts';
import { createPresenceNotifier } from './presence-notifier.ts';

const GYM = { latitude: 43.26, longitude: -2.93 };
const POOL = { latitude: 43.3, longitude: -2.93 };
const BODY = { weight_kg: 60, height_cm: 170, male: null };
const NOWHERE = { latitude: 10, longitude: 10 };

let api: TestApp;
let gym = '';
let pool = '';
const opened: SseReader[] = [];
beforeAll(async () => {
  api = await buildTestApp({
    listen: true,
    seed: async (database) => {
      gym = await makeCenter(database);
      pool = await makeCenter(database);
      await database.updateTable('sport_centers').set(POOL).where('id', '=', pool).execute();
    },
  });
});
afterAll(() => api.close());
afterEach(() => {
  for (const stream of opened.splice(0)) stream.close();
});

const set = (who: SignedIn, changes: object) => send(api, who, 'PATCH', updateSettings.path, changes);
const go = async (who: SignedIn, position: object) =>
  expect(await send(api, who, 'POST', saveUserLocation.path, position)).toMatchObject({ status: 200 });

async function listen(who: SignedIn): Promise<SseReader> {
  const stream = await openSseReader({ port: Number(new URL(api.url).port), token: who.token });
  opened.push(stream);
  return stream;
}

const centersIn = ({ heard }: SseReader) =>
  heard
    .map(({ event }) => event)
    .filter((event): event is Extract<LiveEvent, { type: 'presence_changed' }> => event.type === 'presence_changed')
    .map(({ sport_center_ids }) => sport_center_ids);

const hears = (stream: SseReader, expected: string[][]) =>
  vi.waitFor(() => expect(centersIn(stream)).toEqual(expected));

/** Bea, a friend of hers and a stranger, who both listen to events. */
async function open({ presence = true } = {}) {
  const [bea, ada, cleo] = [await api.signIn('Bea'), await api.signIn('Ada'), await api.signIn('Cleo')];
  await befriend(api.database, ada, bea);
  if (presence) await set(bea, { presence: true });
  return { bea, friend: await listen(ada), own: await listen(bea), stranger: await listen(cleo) };
}

/** Moves another user, a friend of all, whose event arrives after all previous ones. */
async function closeWith(streams: SseReader[], people: SignedIn[]): Promise<void> {
  const dan = await api.signIn('Dan');
  for (const person of people) await befriend(api.database, dan, person);
  await set(dan, { presence: true });
  await go(dan, POOL);
  for (const stream of streams) await vi.waitFor(() => expect(centersIn(stream).at(-1)).toEqual([pool]));
}

describe('no event is sent', () => {
  test('about an athlete who does not share their location', async () => {
    const [bea, ada] = [await api.signIn('Bea'), await api.signIn('Ada')];
    await befriend(api.database, ada, bea);
    const friend = await listen(ada);
    await go(bea, GYM);
    await set(bea, { boards: false });
    await closeWith([friend], [ada]);
    expect(centersIn(friend)).toEqual([[pool]]);
  });

  test('about an athlete under 16, whatever they once chose', async () => {
    const [bea, ada] = [await api.signIn('Bea'), await api.signIn('Ada')];
    await befriend(api.database, ada, bea);
    await set(bea, { presence: true });
    await send(api, bea, 'POST', saveBioInfo.path, { ...BODY, age: 15 });
    const friend = await listen(ada);
    await go(bea, GYM);
    await go(bea, NOWHERE);
    await closeWith([friend], [ada]);
    expect(centersIn(friend)).toEqual([[pool]]);
  });

  test('to strangers, nor to the athlete', async () => {
    const { bea, friend, own, stranger } = await open();
    await go(bea, GYM);
    await hears(friend, [[gym]]);
    await set(bea, { presence: false });
    await hears(friend, [[gym], [gym]]);
    expect([centersIn(own), centersIn(stranger)]).toEqual([[], []]);
  });
});

describe('friends get an event', () => {
  test('about an arrival at a center, a change of center and a departure, and not about a stay', async () => {
    const { bea, friend } = await open();
    await go(bea, GYM);
    await go(bea, GYM);
    await go(bea, POOL);
    await go(bea, NOWHERE);
    await go(bea, NOWHERE);
    await go(bea, GYM);
    await hears(friend, [[gym], [gym, pool], [pool], [gym]]);
  });

  test('when an athlete begins or stops sharing the location', async () => {
    const { bea, friend } = await open({ presence: false });
    await go(bea, GYM);
    await set(bea, { presence: true });
    await hears(friend, [[gym]]);
    await set(bea, { presence: false });
    await hears(friend, [[gym], [gym]]);
  });

  test('when an account is locked', async () => {
    const { bea, friend } = await open();
    await go(bea, GYM);
    await hears(friend, [[gym]]);
    await send(api, bea, 'DELETE', deleteMe.path);
    await hears(friend, [[gym], [gym]]);
  });

  test('when an athlete states an age under 16, at first or later', async () => {
    const { bea, friend } = await open();
    await go(bea, GYM);
    const { data } = await send(api, bea, 'POST', saveBioInfo.path, { ...BODY, age: 16 });
    await send(api, bea, 'PATCH', updateBioInfo.path, { age: 15, updated_at: data.updated_at });
    await hears(friend, [[gym], [gym]]);
    const other = await open();
    await go(other.bea, GYM);
    await send(api, other.bea, 'POST', saveBioInfo.path, { ...BODY, age: 15 });
    await hears(other.friend, [[gym], [gym]]);
  });

  test('when a location expires, once', async () => {
    const { bea, friend } = await open();
    await go(bea, GYM);
    const { database } = api;
    const located_at = new Date(Date.now() - 3 * 3_600_000);
    await database.updateTable('user_locations').set({ located_at }).where('user_id', '=', bea.user.id).execute();
    const sendEphemeral = vi.fn();
    const friends = { listFriendIds: async () => ['a friend'] };
    const now = () => new Date();
    const presence = createPresenceNotifier({ database, events: { sendEphemeral }, friends, now });
    const forgetting = createLocationPurge({ database, presence, now, log: { warn() {} } });
    expect([await forgetting.run(), await forgetting.run()]).toEqual([1, 0]);
    expect(sendEphemeral.mock.calls).toEqual([[['a friend'], { type: 'presence_changed', sport_center_ids: [gym] }]]);
    await hears(friend, [[gym]]);
  });
});
