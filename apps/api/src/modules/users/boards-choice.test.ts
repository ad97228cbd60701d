import { deleteBioInfo, saveBioInfo, updateBioInfo } from '@sendlap/contract/bio-info.ts';
import { deleteMe, getSettings, updateSettings } from '@sendlap/contract/users.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createEventWriter } from '#api/events/events.ts';
import type { SignedIn } from '#test/app/app.ts';
import { send } from '#test/scenes/filled-person.ts';
import { makeClimb, ScanScene } from '#test/scenes/scan-scene.ts';
import { lockAccount } from './deletion.ts';

let scene: ScanScene;
beforeAll(async () => {
  scene = await ScanScene.open();
});
afterAll(() => scene.api.close());
beforeEach(async () => {
  await scene.renew();
  await confirmClimb(1);
});

async function confirmClimb(ended_minutes_ago: number): Promise<void> {
  const climb = makeClimb(20, ended_minutes_ago);
  await scene.record(climb);
  expect((await scene.validate(scene.referee, scene.codeOf(climb).payload)).data.outcome).toBe('accepted');
}

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
  send(scene.api, scene.athlete, method, path, body);
const set = (changes: object) => call('PATCH', updateSettings.path, changes);
const sayAge = (age: number) => call('POST', saveBioInfo.path, { age, weight_kg: 60, height_cm: 170, male: null });

/** Versions of the athlete's scores, of all periods or one. */
async function readVersions(period?: string): Promise<number[]> {
  const versions = scene.api.database
    .selectFrom('board_scores')
    .select('version')
    .distinct()
    .where('user_id', '=', scene.athlete.user.id);
  const rows = await (period === undefined ? versions : versions.where('period', '=', period)).execute();
  return rows.map(({ version }) => version);
}

/** The athlete's entries in the change log since their first climb. */
async function readChanges(): Promise<(string[] | null)[]> {
  const rows = await scene.api.database
    .selectFrom('board_changes')
    .select('periods')
    .where('user_id', '=', scene.athlete.user.id)
    .orderBy('xid')
    .offset(1)
    .execute();
  return rows.map(({ periods }) => periods);
}

/** On the all-time board: on a Monday night the climb belongs to last week. */
async function isSeenBy(viewer: SignedIn): Promise<boolean> {
  const url = `/v1/leaderboards?period=all&limit=100&sport_center_id=${scene.center}`;
  const { data } = await send(scene.api, viewer, 'GET', url);
  const mine = await scene.readMyRow();
  return data.items.some(({ reached_at }: { reached_at: string }) => reached_at === mine?.reached_at);
}

describe('whether boards show me', () => {
  test.each(['yes', 1, null])('is not said by %j', async (boards) => {
    expect(await set({ boards })).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(await readVersions()).toEqual([1]);
  });

  test.each([5, 15])('is refused at the age of %i, together with all else that was asked', async (age) => {
    await sayAge(age);
    const before = [await readVersions(), await readChanges()];
    const refused = await set({ display_name: 'Other', boards: true });
    expect(refused).toMatchObject({ status: 409, code: 'boards_not_allowed' });
    expect((await call('GET', getSettings.path)).data).toMatchObject({ display_name: 'Ada', boards: false });
    expect([await readVersions(), await readChanges()]).toEqual(before);
    expect((await set({ boards: false })).status).toBe(200);
  });

  test('is not changed by a request that is refused for something else', async () => {
    await sayAge(15);
    const before = [await readVersions(), await readChanges()];
    expect(await set({ boards: false, presence: true })).toMatchObject({ status: 409, code: 'presence_not_allowed' });
    expect([await readVersions(), await readChanges()]).toEqual(before);
  });

  test('is my own choice: gone for others at once, and back with the same score; each in a newer version', async () => {
    expect((await call('GET', getSettings.path)).data.boards).toBe(true);
    expect(await isSeenBy(scene.referee)).toBe(true);
    expect((await set({ boards: false })).data).toMatchObject({ boards: false });
    expect(await isSeenBy(scene.referee)).toBe(false);
    expect([await readVersions(), await readChanges()]).toEqual([[2], [null]]);
    await confirmClimb(60);
    expect((await set({ boards: true })).data).toMatchObject({ boards: true });
    // The two climbs may fall into two weeks, each with fewer versions.
    expect(await readVersions('all')).toEqual([4]);
    expect(await isSeenBy(scene.referee)).toBe(true);
    expect((await scene.readMyRow()).points).toBe(158);
  });

  test('said once more, or together with a name, changes no version', async () => {
    await set({ boards: true });
    await set({ display_name: 'Ana' });
    await set({ boards: true, presence: true });
    expect([await readVersions(), await readChanges()]).toEqual([[1], []]);
  });

  test('ends permanently with an age under 16, by every way to state it, and with no other age', async () => {
    let { updated_at } = (await sayAge(30)).data;
    const change = async (age: number) => {
      const { status, data } = await call('PATCH', updateBioInfo.path, { updated_at, age });
      expect(status).toBe(200);
      updated_at = data.updated_at;
      return (await readVersions())[0];
    };
    const versions = [await change(40), await change(16), await change(15), await change(5), await change(16)];
    expect(versions).toEqual([1, 1, 2, 2, 2]);
    expect((await call('GET', getSettings.path)).data.boards).toBe(false);
    await set({ boards: true });
    await call('DELETE', deleteBioInfo.path);
    expect(await readVersions()).toEqual([3]);
    expect(await isSeenBy(scene.referee)).toBe(true);
    await sayAge(12);
    expect(await isSeenBy(scene.referee)).toBe(false);
    await call('DELETE', deleteBioInfo.path);
    expect(await isSeenBy(scene.referee)).toBe(false);
    expect((await call('GET', getSettings.path)).data.boards).toBe(false);
    expect(await readVersions()).toEqual([4]);
    expect(await readChanges()).toEqual([null, null, null]);
  });

  test('ends with a lock, once, and a lock of a hidden athlete changes nothing', async () => {
    const { id } = scene.athlete.user;
    await call('DELETE', deleteMe.path);
    await lockAccount(createEventWriter(scene.api.database), id, { now: new Date() });
    expect([await readVersions(), await readChanges()]).toEqual([[2], [null]]);
    await scene.renew();
    await confirmClimb(1);
    await set({ boards: false });
    await call('DELETE', deleteMe.path);
    expect([await readVersions(), await readChanges()]).toEqual([[2], [null]]);
  });

  test('may change while an activity is confirmed, 10 times over: neither waits for the other in a ring', async () => {
    for (let round = 0; round < 10; round += 1) {
      const climb = makeClimb(1, 30 + round * 2);
      await scene.record(climb);
      const [hidden, scanned] = await Promise.all([
        set({ boards: round % 2 === 1 }),
        scene.validate(scene.referee, scene.codeOf(climb).payload),
      ]);
      expect([hidden.status, scanned.status]).toEqual([200, 200]);
    }
    expect((await readChanges()).filter((periods) => periods === null)).toHaveLength(10);
  });
});

test('an athlete without a score comes and goes without a trace on boards', async () => {
  const ada = await scene.api.signIn('Ada');
  await send(scene.api, ada, 'PATCH', updateSettings.path, { boards: false });
  const rows = await scene.api.database
    .selectFrom('board_changes')
    .select('xid')
    .where('user_id', '=', ada.user.id)
    .execute();
  expect(rows).toEqual([]);
});
