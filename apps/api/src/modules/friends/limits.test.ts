import { randomUUID } from 'node:crypto';
import { FRIEND_LOOK_UPS_A_DAY, FRIEND_REQUESTS_A_DAY, MAX_FRIENDS } from '@sendlap/contract/friends.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createEventWriter } from '#api/events/events.ts';
import { createRecentChanges } from '#api/sessions/recent-changes.ts';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { type FriendScene, openFriendScene } from '#test/scenes/friend-scene.ts';
import { createFriendService } from './service.ts';

const DAY_MS = 86_400_000;
const DAY_S = 86_400;

let clock_ms = 0;
const now = () => new Date(Date.now() + clock_ms);
let api: TestApp;
let scene: FriendScene;
let ada: SignedIn;
let bea: SignedIn;
beforeAll(async () => {
  api = await buildTestApp({ now });
  scene = openFriendScene(api);
});
beforeEach(async () => {
  clock_ms = 0;
  [ada, bea] = (await scene.people('Ada', 'Bea')) as [SignedIn, SignedIn];
});
afterAll(() => api.close());

/** Adds users without a session; returns their ids. */
async function addUsers(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  const rows = ids.map((id) => ({ id, public_id: `u-${id.slice(0, 20)}`, name: 'User', email: '' }));
  await api.database.insertInto('users').values(rows).execute();
  return ids;
}

/** Adds requests of Ada that were sent `age_ms` ago, in all states. */
async function addRequests(count: number, age_ms: number): Promise<void> {
  const created_at = new Date(Date.now() - age_ms);
  const states = ['pending', 'declined', 'cancelled'] as const;
  const rows = (await addUsers(count)).map((receiver_id, nth) => ({
    id: randomUUID(),
    sender_id: ada.user.id,
    receiver_id,
    status: states[nth % states.length] ?? 'pending',
    created_at,
  }));
  await api.database.insertInto('friend_requests').values(rows).execute();
}

async function addFriends({ user }: SignedIn, count: number): Promise<void> {
  await sql`
    insert into friendships (id, user_low, user_high)
    select gen_random_uuid(), least(id, ${user.id}::uuid), greatest(id, ${user.id}::uuid)
    from unnest(${await addUsers(count)}::uuid[]) as id`.execute(api.database);
}

test('a 31st request within a day must wait until the first of them is a day old', async () => {
  await addRequests(1, DAY_MS - 300_000);
  await addRequests(FRIEND_REQUESTS_A_DAY - 1, 1000);
  const refused = await scene.ask(ada, bea);
  expect(refused).toMatchObject({ status: 429, code: 'too_many_requests' });
  expect(refused.retry_after).toBeGreaterThan(200);
  expect(refused.retry_after).toBeLessThanOrEqual(300);
  expect(await scene.pending(bea)).toEqual([]);
  clock_ms = 301_000;
  expect(await scene.ask(ada, bea)).toMatchObject({ status: 201 });
});

test('a 30th goes through, and a repeat or an answer does not count', async () => {
  await addRequests(FRIEND_REQUESTS_A_DAY - 1, DAY_MS / 2);
  const waiting = (await scene.people('Cleo'))[0] as SignedIn;
  const id = await scene.request(ada, bea);
  expect(await scene.ask(ada, bea)).toMatchObject({ status: 201, replayed: true, data: { request: { id } } });
  await scene.request(waiting, ada);
  expect(await scene.ask(ada, waiting)).toMatchObject({ status: 201, data: { status: 'accepted' } });
  const dan = (await scene.people('Dan'))[0] as SignedIn;
  const refused = await scene.ask(ada, dan);
  expect(refused).toMatchObject({ status: 429 });
  expect(refused.retry_after).toBeGreaterThan(DAY_S / 2 - 600);
});

test('of concurrent requests no more pass than are left', async () => {
  await addRequests(FRIEND_REQUESTS_A_DAY - 2, 1000);
  const people = await scene.people('C', 'D', 'E', 'F', 'G');
  const replies = await Promise.all(people.map((who) => scene.ask(ada, who)));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 429, 429, 429]);
});

test('a user with 1,000 friends gets no more, from either side, until one is gone', async () => {
  await addFriends(ada, MAX_FRIENDS);
  const full = { status: 409, code: 'friend_limit_reached' };
  expect(await scene.ask(ada, bea)).toMatchObject(full);
  const id = await scene.request(bea, ada);
  expect(await scene.accept(ada, id)).toMatchObject(full);
  expect(await scene.ask(ada, bea)).toMatchObject(full);
  expect(await scene.pending(ada)).toMatchObject([{ id }]);
  const [one] = await scene.friends(ada);
  await scene.remove(ada, one?.id ?? '');
  expect(await scene.accept(ada, id)).toMatchObject({ status: 200 });
  expect(await scene.friends(ada)).toHaveLength(MAX_FRIENDS);
});

test('the receiver may have reached 1,000 friends in between', async () => {
  const id = await scene.request(ada, bea);
  await addFriends(ada, MAX_FRIENDS);
  expect(await scene.accept(bea, id)).toMatchObject({ status: 409, code: 'friend_limit_reached' });
  expect(await scene.friends(bea)).toEqual([]);
  expect(await scene.pending(bea)).toMatchObject([{ id }]);
});

test('a 31st search within a minute is refused, of that user alone', async () => {
  const replies = [];
  for (let nth = 0; nth < 31; nth += 1) replies.push(await scene.search(ada, 'no-such-athlete'));
  expect(replies.slice(0, 30).every(({ status }) => status === 404)).toBe(true);
  expect(replies[30]).toMatchObject({ status: 429, code: 'too_many_requests' });
  expect(replies[30]?.retry_after).toBeGreaterThan(0);
  expect(await scene.search(bea, ada.user.public_id)).toMatchObject({ status: 200 });
});

test('a 31st request within a minute is refused, whether the user exists or not', async () => {
  const ask = () => scene.call(ada, 'POST', '/v1/friends/request', { receiver_public_id: 'no-such-athlete' });
  for (let nth = 0; nth < 30; nth += 1) expect(await ask()).toMatchObject({ status: 404 });
  expect(await ask()).toMatchObject({ status: 429, code: 'too_many_requests' });
});

test('a further request beyond the day’s limit does not reveal whether the user exists', async () => {
  await addRequests(FRIEND_REQUESTS_A_DAY, 1000);
  const answers = [];
  for (const receiver_public_id of [bea.user.public_id, 'no-such-athlete']) {
    const { status, code, message } = await scene.call(ada, 'POST', '/v1/friends/request', { receiver_public_id });
    answers.push({ status, code, message });
  }
  expect(answers[0]).toMatchObject({ status: 429 });
  expect(answers[1]).toEqual(answers[0]);
});

test('ended friendships that began without a request do not count as requests', async () => {
  await addFriends(ada, FRIEND_REQUESTS_A_DAY);
  for (const { id } of await scene.friends(ada)) expect(await scene.remove(ada, id)).toMatchObject({ status: 200 });
  expect(await scene.ask(ada, bea)).toMatchObject({ status: 201 });
});

test('a 301st look-up of a day is refused by every node, by search or request, found or not, until midnight', async () => {
  const { database } = api;
  const events = createEventWriter(database);
  let time = new Date('2026-11-21T23:50:00.000Z');
  const nodes = Array.from({ length: 2 }, () =>
    createFriendService({ database, events, changes: createRecentChanges(database), now: () => time }),
  );
  const lookUp = (nth: number) => {
    const public_id = nth % 2 === 0 ? bea.user.public_id : 'no-such-athlete';
    const node = nodes[Math.floor(nth / 10) % 2];
    return nth % 5 === 3
      ? node?.requestFriend(ada.user.id, { public_id: 'no-such-athlete', key: undefined })
      : node?.searchFriend(ada.user.id, public_id);
  };
  for (let nth = 0; nth < FRIEND_LOOK_UPS_A_DAY; nth += 10) {
    const ten = await Promise.allSettled(Array.from({ length: 10 }, (_, step) => lookUp(nth + step)));
    const codes = ten.map((each) => (each.status === 'fulfilled' ? 'found' : each.reason.code));
    expect(new Set(codes)).toEqual(new Set(['found', 'user_not_found']));
  }
  const refused = { code: 'too_many_requests', retry_after_s: 600 };
  for (const nth of [0, 1, 3, 10, 11, 13]) await expect(lookUp(nth)).rejects.toMatchObject(refused);
  await expect(nodes[0]?.searchFriend(bea.user.id, ada.user.public_id)).resolves.toMatchObject({ name: 'Ada' });
  time = new Date('2026-11-22T00:00:00.000Z');
  await expect(lookUp(0)).resolves.toMatchObject({ name: 'Bea' });
});
