import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#test/app/app.ts';
import { type Climb, MINUTE_MS, makeClimb, ScanScene } from '#test/scenes/scan-scene.ts';
import { listFlags } from './flags.ts';
import { recomputeScores, verifyScores } from './verify-scores.ts';

let scene: ScanScene;
beforeAll(async () => {
  scene = await ScanScene.open();
});
beforeEach(() => scene.renew());
afterAll(() => scene.api.close());

async function validated(minutes = 30, ended_minutes_ago = 1): Promise<Climb> {
  const climb = makeClimb(minutes, ended_minutes_ago);
  await scene.record(climb);
  expect((await scene.validate(scene.referee, scene.codeOf(climb).payload)).data.outcome).toBe('accepted');
  return climb;
}

const differences = async () =>
  (await verifyScores(scene.api.database)).differences.filter(({ user_id }) => user_id === scene.athlete.user.id);

test('after validations, edits, deletions and withdrawals there is no difference', async () => {
  await validated(200, 1);
  const deleted = await validated(30, 230);
  await scene.remove(deleted);
  const edited = await validated(30, 300);
  await scene.edit(edited, { intensity: 'easy' });
  const { activities, differences: all } = await verifyScores(scene.api.database);
  expect([activities >= 3, all]).toEqual([true, []]);
});

test('points, entries and boards that were tampered with are found, and rebuilt where they are derived', async () => {
  const { database } = scene.api;
  const climb = await validated(90);
  await database.updateTable('activities').set({ points: 9000 }).where('id', '=', climb.client_id).execute();
  await sql`update board_scores set points = 1 where user_id = ${scene.athlete.user.id} and sport = 'all'`.execute(
    database,
  );
  await sql`update board_scores set sport_center_id = ${scene.other_center}
    where user_id = ${scene.athlete.user.id} and sport = 'climbing' and sport_center_id = ${scene.center}`.execute(
    database,
  );
  const found = await differences();
  expect(found).toContainEqual(expect.objectContaining({ what: 'ledger', is: 9000, should_be: 355 }));
  expect(found).toContainEqual(expect.objectContaining({ what: 'rule', is: 9000, should_be: 355 }));
  // All twelve of the current activity, and three of a center without activities.
  expect(found.filter(({ what }) => what === 'board')).toHaveLength(15);
  const { changed } = await recomputeScores(database);
  expect(changed).toBeGreaterThan(0);
  expect(await differences()).toEqual([]);
  await expect.poll(async () => (await scene.readMyRow()).points).toBe(355);
  expect(await recomputeScores(database)).toMatchObject({ changed: 0 });
});

test('a ledger entry without a cause is found and not mended automatically', async () => {
  const climb = await validated();
  await scene.api.database
    .insertInto('score_ledger')
    .values({
      user_id: scene.athlete.user.id,
      activity_id: climb.client_id,
      kind: 'allotment',
      points: 50,
      rule_version: 'met-1',
      inputs: '{}',
    })
    .execute();
  expect(await differences()).toMatchObject([{ what: 'ledger', is: 118, should_be: 168 }]);
});

test.each([
  ['a suspended scanner was refused, to decide whether to lift that', { suspended_at: new Date() }, ['many_refusals']],
  ['a scanner was refused, but not of one who is about to be erased', { erase_after: new Date() }, []],
])('an operator sees how often %s', async (_name, lock, kinds) => {
  const forged = Buffer.alloc(32, 7).toString('base64url');
  const { payload } = scene.codeOf(makeClimb(10), {}, forged);
  for (let nth = 0; nth < 5; nth += 1) await scene.validate(scene.referee, payload);
  const users = scene.api.database.updateTable('users').set({ is_active: false, ...lock });
  await users.where('id', '=', scene.referee.user.id).execute();
  const { public_id } = scene.referee.user;
  const mine = (await listFlags(scene.api.database)).filter(({ scanner }) => scanner === public_id);
  expect(mine.map(({ kind }) => kind)).toEqual(kinds);
});

test('an operator sees pairs who confirm each other, and scanners refused often, who only reject or who know one athlete', async () => {
  const ids = (who: SignedIn) => who.user.public_id;
  const mine = async (who: SignedIn) =>
    (await listFlags(scene.api.database)).filter(({ scanner }) => scanner === ids(who)).map(({ kind }) => kind);
  expect(await mine(scene.referee)).toEqual([]);
  const forged = Buffer.alloc(32, 7).toString('base64url');
  const climb = makeClimb(10);
  for (let nth = 0; nth < 5; nth += 1) {
    await scene.validate(scene.referee, scene.codeOf(climb, {}, forged).payload);
  }
  expect(await mine(scene.referee)).toEqual(['many_refusals']);
  const roxy = await scene.addReferee('Roxy');
  for (let nth = 0; nth < 5; nth += 1) {
    const each = makeClimb(10, 20 + nth * 15);
    await scene.record(each);
    await scene.scanAt(roxy, each, each.ended_at + MINUTE_MS, { decision: 'reject' });
  }
  expect(await mine(roxy)).toEqual(['only_rejections']);
  await validated(10);
  await scene.grant(scene.athlete);
  const device = (await scene.post(scene.referee, '/v1/devices', { installation_id: crypto.randomUUID(), name: 'P' }))
    .data;
  const back = makeClimb(10);
  await scene.record(back, scene.referee);
  const shown = { public_id: ids(scene.referee), key_id: device.key_id };
  await scene.validate(scene.athlete, scene.codeOf(back, shown, device.key).payload);
  expect(await mine(scene.referee)).toContain('reciprocal_pair');
  const [flag] = (await listFlags(scene.api.database)).filter(({ kind }) => kind === 'reciprocal_pair');
  expect(flag?.decisions).toHaveLength(1);
});
