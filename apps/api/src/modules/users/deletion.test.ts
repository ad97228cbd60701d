import { randomUUID } from 'node:crypto';
import { getMe, refresh } from '@sendlap/contract/auth.ts';
import { getBioInfo } from '@sendlap/contract/bio-info.ts';
import { changePublicId } from '@sendlap/contract/friends.ts';
import { deleteMe, getDeletion, getSettings, listSessions, restoreMe } from '@sendlap/contract/users.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PeriodicJob } from '#api/platform/periodic-job.ts';
import type { SignedIn, TestApp } from '#test/app/app.ts';
import { rowsHolding } from '#test/database/all-tables.ts';
import {
  type FilledPerson,
  fillPerson,
  type Member,
  openPlace,
  send,
  signInAgain,
} from '#test/scenes/filled-person.ts';
import { createErasureJob } from './erasure.ts';

const DAY_MS = 86_400_000;
const GRACE_MS = 7 * DAY_MS;

/** The other dependencies of the job, as no-ops. */
const JOB = { users: { recordChange() {} }, log: { info() {}, warn() {} } };

let clock_ms = 0;
const now = () => new Date(Date.now() + clock_ms);
let api: TestApp;
let center = '';
let erasure: PeriodicJob;
beforeAll(async () => {
  ({ api, center } = await openPlace(now));
  erasure = createErasureJob({ ...JOB, database: api.database, now });
});
afterAll(() => api.close());
beforeEach(async () => {
  // Erases users left locked by the previous test, so that this test counts only its own.
  clock_ms = 30 * DAY_MS;
  await erasure.run();
  clock_ms = 0;
});

type Who = Pick<SignedIn, 'headers'>;

const call = (who: Who, { method, path }: { method: 'GET' | 'POST' | 'DELETE'; path: string }) =>
  send(api, who, method, path);
const signIn = (user_id: string) => signInAgain(api, user_id, 'Phone', () => now().getTime());

async function refreshWith(refresh_token: string) {
  const headers = { origin: 'http://localhost:8000', 'sec-fetch-site': 'same-origin' };
  const cookies = { '__Host-sendlap_refresh': refresh_token };
  const reply = await api.app.inject({ method: 'POST', url: refresh.path, headers, cookies });
  return { status: reply.statusCode, ...reply.json() };
}

/** On the all-time board: around the end of a week the viewer's current week may not be that of the climbs. */
async function isOnBoard(viewer: Who, { canaries }: FilledPerson): Promise<boolean> {
  const { data } = await send(api, viewer, 'GET', '/v1/leaderboards?period=all&limit=100');
  return data.items.some((item: { user: { name: string } }) => item.user.name === canaries['display name']);
}

/** A user who leaves the boards and returns has the same scores in a newer version, recorded in the change log. */
function withoutVersions({ board_changes: _, ...tables }: Record<string, string[]>): Record<string, string[]> {
  const board_scores = (tables.board_scores ?? []).map((row) => row.replace(/"version":\d+/, ''));
  return { ...tables, board_scores: board_scores.toSorted() };
}

describe('a deletion', () => {
  test('locks at once: every session ends, the cookie goes, boards forget, only a few calls work', async () => {
    const person = await fillPerson(api, center);
    const { ada, rex } = person;
    const tablet = await signIn(ada.user.id);
    expect(await isOnBoard(rex, person)).toBe(true);
    const before = now().getTime();
    const reply = await api.app.inject({ method: 'DELETE', url: deleteMe.path, headers: ada.headers });
    const asked_at = Date.parse(reply.json().data.erase_after) - GRACE_MS;
    expect(asked_at).toBeGreaterThanOrEqual(before);
    expect(asked_at).toBeLessThanOrEqual(now().getTime());
    expect(reply.cookies).toContainEqual(expect.objectContaining({ name: '__Host-sendlap_refresh', value: '' }));
    for (const session of [ada, tablet]) {
      expect(await call(session, getMe)).toMatchObject({ status: 401 });
      expect(await refreshWith(session.refresh_token)).toMatchObject({ status: 401, code: 'refresh_invalid' });
    }
    expect(await isOnBoard(rex, person)).toBe(false);

    const locked = await signIn(ada.user.id);
    expect((await call(locked, getMe)).data.user).toMatchObject({ id: ada.user.id, is_active: false });
    expect((await call(locked, getDeletion)).data).toEqual({ ...reply.json().data, is_suspended: false });
    expect((await call(locked, listSessions)).data.items).toHaveLength(1);
    for (const refused of [getSettings, getBioInfo]) {
      expect(await call(locked, refused)).toMatchObject({ status: 409, code: 'account_locked' });
    }
    const other_id = { public_id: `id-${randomUUID().slice(0, 8)}` };
    expect(await send(api, locked, 'PUT', changePublicId.path, other_id)).toMatchObject({ status: 409 });
  });

  test('excludes locked athletes from the ranks of others', async () => {
    const first = await fillPerson(api, center);
    const second = await fillPerson(api, center);
    const readMine = async (who: Member) => {
      const { data } = await send(api, who, 'GET', '/v1/leaderboards?period=all&limit=1');
      return { total: data.total as number, rank: data.me.rank as number };
    };
    const before = await readMine(second.ada);
    // Bea climbed an hour, Ada half an hour.
    await call(first.bea, deleteMe);
    expect(await readMine(second.ada)).toEqual({ total: before.total - 1, rank: before.rank - 1 });
  });

  test('again, while locked, does not change its time', async () => {
    const ada = await api.signIn('Ada');
    const first = await call(ada, deleteMe);
    clock_ms = DAY_MS;
    expect((await call(await signIn(ada.user.id), deleteMe)).data).toEqual(first.data);
  });

  test('is undone within the grace: all data is back, and a refresh gives full access again', async () => {
    const person = await fillPerson(api, center);
    const { ada, rex, canaries } = person;
    const before = await rowsHolding(api.database, Object.values(canaries));
    await call(ada, deleteMe);
    clock_ms = GRACE_MS - 60_000;
    expect(await erasure.run()).toBe(0);
    const locked = await signIn(ada.user.id);
    const restored = await call(locked, restoreMe);
    expect(restored).toMatchObject({ status: 200, data: { user: { id: ada.user.id, is_active: true } } });
    expect((await call(locked, getDeletion)).data).toEqual({ erase_after: null, is_suspended: false });
    const after = await rowsHolding(api.database, Object.values(canaries));
    // All devices were signed out, which removed their notifications.
    expect(withoutVersions(after)).toEqual({ ...withoutVersions(before), push_subscriptions: [] });
    clock_ms = GRACE_MS + DAY_MS;
    expect(await erasure.run()).toBe(0);
    clock_ms = 0;
    // The reply may have been lost: a repeat in the same session is not an error.
    expect(await call(locked, restoreMe)).toMatchObject({ status: 200 });
    const { data } = await refreshWith(locked.refresh_token);
    const full = { headers: { authorization: `Bearer ${data.access_token}` } };
    expect(await call(full, getSettings)).toMatchObject({ status: 200 });
    expect(await isOnBoard(rex, person)).toBe(true);
  });

  test('that was never requested cannot be undone', async () => {
    const ada = await api.signIn('Ada');
    expect((await call(ada, getDeletion)).data).toEqual({ erase_after: null, is_suspended: false });
    expect(await call(ada, restoreMe)).toMatchObject({ status: 409, code: 'account_not_locked' });
  });
});
