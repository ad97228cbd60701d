import { randomUUID } from 'node:crypto';
import type { LeaderboardRow } from '@sendlap/contract/leaderboards.ts';
import { liftSuspension, suspendPerson } from '@sendlap/contract/server-management/people.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { befriend, makeCenter } from '#test/factories.ts';
import { signInAgain } from '#test/scenes/filled-person.ts';
import { callEndpoint } from '#test/scenes/managed-center.ts';
import { type BoardRow, putScores } from '#test/scenes/put-scores.ts';
import { makeOperator } from '#test/scenes/right-holders.ts';

const BOARD = '/v1/leaderboards';
const AROUND = '/v1/leaderboards/surrounding';
const WEEK = '2026-W47';
const NOW = Date.parse('2026-11-18T12:00:00Z');

let api: TestApp;
let ada: SignedIn;
let bea: SignedIn;
let cleo: SignedIn;
let center = '';
const unused: string[] = [];
beforeAll(async () => {
  const seed = async (database: TestApp['database']) => {
    for (let made = 0; made < 16; made += 1) unused.push(await makeCenter(database));
  };
  api = await buildTestApp({ seed, now: () => new Date(NOW) });
});
// A loaded board learns only later of rows inserted directly into the database, so each test has its own center.
beforeEach(async () => {
  center = unused.pop() ?? '';
  const people = await Promise.all(['Ada', 'Bea', 'Cleo'].map((name) => api.signIn(name)));
  [ada, bea, cleo] = people as [SignedIn, SignedIn, SignedIn];
});
afterAll(() => api.close());

async function call(who: SignedIn, method: 'GET' | 'PATCH' | 'POST' | 'DELETE', url: string, payload?: object) {
  const reply = await api.app.inject({ method, url, headers: who.headers, ...(payload ? { payload } : {}) });
  return { status: reply.statusCode, text: reply.body, ...reply.json() };
}

async function read(who: SignedIn, scope = 'all', url = BOARD) {
  return (await call(who, 'GET', `${url}?sport_center_id=${center}&scope=${scope}`)).data;
}

async function put(who: SignedIn, points: number, row: Partial<BoardRow> = {}): Promise<void> {
  await putScores(api.database, [{ who, period: WEEK, center, points, ...row }]);
}

async function setAge(who: SignedIn, age: number): Promise<void> {
  const bio = { id: randomUUID(), user_id: who.user.id, age, weight_kg: 50, height_cm: 160, male: null };
  await api.database.insertInto('bio_info').values(bio).execute();
}

const namesOf = (items: LeaderboardRow[]) => items.map(({ rank, user, points }) => [rank, user.name, points]);

describe('no reply holds', () => {
  test('ids, e-mails or public ids of strangers, nor any user’s internal id', async () => {
    await put(ada, 30);
    await put(bea, 20);
    await put(cleo, 10);
    await befriend(api.database, ada, bea);
    await api.database.updateTable('users').set({ email: 'cleo@canary.test' }).where('id', '=', cleo.user.id).execute();
    for (const url of [BOARD, AROUND]) {
      for (const scope of ['all', 'friends']) {
        const { text, data } = await call(ada, 'GET', `${url}?sport_center_id=${center}&scope=${scope}`);
        for (const { user } of [ada, bea, cleo]) expect(text).not.toContain(user.id);
        expect(text).not.toMatch(/canary|@/);
        expect(text).not.toContain(cleo.user.public_id);
        const linked = data.items.map(({ user }: LeaderboardRow) => user.public_id).filter(Boolean);
        expect(linked).toEqual([ada.user.public_id, bea.user.public_id]);
      }
    }
    const { text } = await call(cleo, 'GET', `${BOARD}?sport_center_id=${center}`);
    expect(text).not.toContain(ada.user.public_id);
    expect(text).not.toContain(bea.user.public_id);
  });

  test('a made-up name of an athlete without one', async () => {
    await put(ada, 30);
    await api.database.updateTable('users').set({ display_name: null }).where('id', '=', ada.user.id).execute();
    expect((await read(bea)).items).toMatchObject([{ rank: 1, user: { name: null } }]);
  });
});

describe('a name', () => {
  test('that was changed on this node is shown at once', async () => {
    await put(ada, 30);
    expect(namesOf((await read(bea)).items)).toEqual([[1, 'Ada', 30]]);
    await call(ada, 'PATCH', '/v1/users/settings', { display_name: 'Ada L.' });
    expect(namesOf((await read(bea)).items)).toEqual([[1, 'Ada L.', 30]]);
  });

  test('is left out once this node knows that the athlete is hidden, even if the order of the board does not yet', async () => {
    await put(ada, 30);
    await put(bea, 20);
    expect((await read(cleo)).items).toHaveLength(2);
    // Bypasses the change log, like a node that learns of the change later.
    await api.database.updateTable('users').set({ boards: false }).where('id', '=', ada.user.id).execute();
    await call(ada, 'PATCH', '/v1/users/settings', { display_name: 'Canary' });
    for (const url of [BOARD, AROUND]) {
      expect(JSON.stringify(await read(bea, 'all', url))).not.toContain('Canary');
      expect((await read(bea, 'all', url)).items).toMatchObject([{ user: { name: 'Bea' } }]);
    }
  });
});

describe('a hidden athlete', () => {
  test('leaves the boards of others at once, sees their own rank, and comes back', async () => {
    await put(ada, 30);
    await put(bea, 20);
    await put(cleo, 10);
    expect((await read(cleo)).total).toBe(3);
    expect((await call(ada, 'PATCH', '/v1/users/settings', { boards: false })).status).toBe(200);
    const seen = await read(cleo);
    expect(namesOf(seen.items)).toEqual([
      [1, 'Bea', 20],
      [2, 'Cleo', 10],
    ]);
    expect(seen).toMatchObject({ total: 2, hidden: false, me: { rank: 2 } });
    const own = await read(ada);
    expect(namesOf(own.items)).toEqual(namesOf(seen.items));
    expect(own).toMatchObject({
      total: 2,
      hidden: true,
      me: { rank: 1, points: 30, is_me: true, user: { name: 'Ada', public_id: ada.user.public_id } },
    });
    expect(await read(ada, 'all', AROUND)).toMatchObject({
      items: [],
      hidden: true,
      me: { rank: 1 },
      gap_to_next: null,
    });
    await call(ada, 'PATCH', '/v1/users/settings', { boards: true });
    expect(namesOf((await read(cleo)).items)).toEqual([
      [1, 'Ada', 30],
      [2, 'Bea', 20],
      [3, 'Cleo', 10],
    ]);
    expect(await read(ada)).toMatchObject({ hidden: false, me: { rank: 1 } });
  });

  test('is not on the boards of friends either, and sees their own rank there', async () => {
    await befriend(api.database, ada, bea);
    await put(ada, 20, { friends_points: 25 });
    await put(bea, 20, { friends_points: 40 });
    await call(ada, 'PATCH', '/v1/users/settings', { boards: false });
    expect(namesOf((await read(bea, 'friends')).items)).toEqual([[1, 'Bea', 40]]);
    expect(await read(ada, 'friends')).toMatchObject({ total: 1, hidden: true, me: { rank: 2, points: 25 } });
    expect(await read(ada, 'friends', AROUND)).toMatchObject({ items: [], me: { rank: 2 }, gap_to_next: null });
  });

  test('has no row where there are no points', async () => {
    await call(ada, 'PATCH', '/v1/users/settings', { boards: false });
    for (const scope of ['all', 'friends']) {
      for (const url of [BOARD, AROUND]) expect(await read(ada, scope, url)).toMatchObject({ hidden: true, me: null });
    }
  });
});

test('an athlete under 16 is on the boards of friends only, and at 16 on all', async () => {
  await befriend(api.database, ada, bea);
  await setAge(ada, 15);
  await setAge(cleo, 16);
  await put(ada, 30);
  await put(bea, 20);
  await put(cleo, 10);
  const seen = await read(bea);
  expect(namesOf(seen.items)).toEqual([
    [1, 'Bea', 20],
    [2, 'Cleo', 10],
  ]);
  expect(namesOf((await read(bea, 'friends')).items)).toEqual([
    [1, 'Ada', 30],
    [2, 'Bea', 20],
  ]);
  expect(await read(ada)).toMatchObject({ hidden: true, total: 2, me: { rank: 1, points: 30 } });
  expect(await read(ada, 'friends')).toMatchObject({ hidden: true, total: 2, me: { rank: 1, points: 30 } });
});

test('an athlete whose account is locked disappears for others at once, also for friends, and comes back', async () => {
  await befriend(api.database, ada, bea);
  await put(ada, 30);
  await put(bea, 20);
  const everybody = [
    [1, 'Ada', 30],
    [2, 'Bea', 20],
  ];
  for (const scope of ['all', 'friends']) expect(namesOf((await read(bea, scope)).items)).toEqual(everybody);
  expect((await call(ada, 'DELETE', '/v1/users/me')).status).toBe(200);
  for (const scope of ['all', 'friends']) {
    expect(await read(bea, scope), scope).toMatchObject({ total: 1, items: [{ rank: 1, user: { name: 'Bea' } }] });
  }
  const locked = await signInAgain(api, ada.user.id, 'Phone', () => NOW);
  expect((await call({ ...ada, ...locked }, 'POST', '/v1/users/me/restore')).status).toBe(200);
  for (const scope of ['all', 'friends']) expect(namesOf((await read(bea, scope)).items)).toEqual(everybody);
});

describe('an athlete whose account an operator suspends', () => {
  const everybody = [
    [1, 'Ada', 30],
    [2, 'Bea', 20],
  ];
  const namesSeen = async (scope: string) => namesOf((await read(bea, scope)).items);
  let olga: SignedIn;
  beforeEach(async () => {
    olga = await makeOperator(api, 'Olga');
    await befriend(api.database, ada, bea);
    await put(ada, 30);
    await put(bea, 20);
    for (const scope of ['all', 'friends']) expect(await namesSeen(scope)).toEqual(everybody);
    await suspendOrLift(suspendPerson);
  });

  async function suspendOrLift(endpoint: typeof suspendPerson | typeof liftSuspension): Promise<void> {
    const body = endpoint === suspendPerson ? { body: { reason: 'Spam' } } : {};
    const params = { public_id: ada.user.public_id };
    expect((await callEndpoint(api, endpoint, { who: olga, params, ...body })).status).toBe(200);
  }

  test('disappears for others at once, also for friends, and comes back when it is lifted', async () => {
    for (const scope of ['all', 'friends']) {
      expect(await read(bea, scope), scope).toMatchObject({ total: 1, items: [{ rank: 1, user: { name: 'Bea' } }] });
    }
    await suspendOrLift(liftSuspension);
    for (const scope of ['all', 'friends']) expect(await namesSeen(scope), scope).toEqual(everybody);
  });

  test('and who deletes it too comes back only when both are undone', async () => {
    const suspended = await signInAgain(api, ada.user.id, 'Phone', () => NOW);
    expect((await call({ ...ada, ...suspended }, 'DELETE', '/v1/users/me')).status).toBe(200);
    await suspendOrLift(liftSuspension);
    for (const scope of ['all', 'friends']) expect(await namesSeen(scope), scope).toEqual([[1, 'Bea', 20]]);
    const locked = await signInAgain(api, ada.user.id, 'Phone', () => NOW);
    expect((await call({ ...ada, ...locked }, 'POST', '/v1/users/me/restore')).status).toBe(200);
    for (const scope of ['all', 'friends']) expect(await namesSeen(scope), scope).toEqual(everybody);
  });
});

describe('the board of friends', () => {
  test('has my friends and me alone, with the points of friends’ proofs, and ranks of its own', async () => {
    const dan = await api.signIn('Dan');
    await befriend(api.database, ada, bea);
    await befriend(api.database, cleo, ada);
    await befriend(api.database, dan, bea);
    await put(ada, 10, { friends_points: 50 });
    await put(bea, 40);
    await put(cleo, 0, { friends_points: 50, reached_at: NOW });
    await put(dan, 90);
    const { items, me, total, next_cursor } = await read(ada, 'friends');
    expect(namesOf(items)).toEqual([
      [1, 'Ada', 50],
      [1, 'Cleo', 50],
      [3, 'Bea', 40],
    ]);
    expect([me, total, next_cursor]).toEqual([items[0], 3, null]);
    expect(items.map(({ user }: LeaderboardRow) => user.public_id)).toEqual(
      [ada, cleo, bea].map(({ user }) => user.public_id),
    );
    expect(namesOf((await read(ada)).items)).toEqual([
      [1, 'Dan', 90],
      [2, 'Bea', 40],
      [3, 'Ada', 10],
    ]);
    expect(await read(bea, 'friends', AROUND)).toMatchObject({ total: 3, me: { rank: 3 }, gap_to_next: 10 });
  });

  test('is read page by page', async () => {
    const friends = await Promise.all(Array.from({ length: 5 }, (_, nth) => api.signIn(`F${nth}`)));
    for (const [nth, friend] of friends.entries()) {
      await befriend(api.database, ada, friend);
      await put(friend, 10, { reached_at: NOW + nth });
    }
    const seen: unknown[] = [];
    let cursor: string | null = '0';
    while (cursor !== null) {
      const url = `${BOARD}?scope=friends&sport_center_id=${center}&limit=2&cursor=${cursor}`;
      const { data } = await call(ada, 'GET', url);
      expect(data).toMatchObject({ total: 5, me: null });
      seen.push(...namesOf(data.items));
      cursor = data.next_cursor;
    }
    expect(seen).toEqual(friends.map((_, nth) => [1, `F${nth}`, 10]));
  });

  test('is mine alone where I have no friends', async () => {
    await put(ada, 10);
    await put(bea, 20);
    expect(await read(ada, 'friends')).toMatchObject({ total: 1, items: [{ rank: 1, is_me: true }], me: { rank: 1 } });
  });
});
