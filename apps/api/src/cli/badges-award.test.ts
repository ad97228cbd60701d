import { afterAll, beforeAll, expect, test } from 'vitest';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
import { runVerb } from '#test/run-verb.ts';
import { makeClimb, ScanScene } from '#test/scenes/scan-scene.ts';
import { command } from './badges-award.ts';

let scene: ScanScene;
beforeAll(async () => {
  scene = await ScanScene.open();
  await scene.renew();
});
afterAll(() => scene.api.close());

const run = (...args: string[]) => runVerb(scene.api.database, command.run, args);
const badges = () =>
  scene.api.database.selectFrom('badges').select(['user_id', 'badge', 'earned_at']).orderBy('badge').execute();

test.each([[['more']], [['--fast']], [['--json', '--since']]])('%j is wrong usage', async (args) => {
  const { code, stderr, stdout } = await run(...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('npm run sendlap -- badges award');
});

test('past activities earn their badges silently and once; badges that exist stay', async () => {
  const climb = makeClimb(120);
  await scene.record(climb);
  expect((await scene.validate(scene.referee, scene.codeOf(climb).payload)).status).toBe(200);
  const mine = await badges();
  expect(mine.map(({ badge }) => badge)).toEqual(['climbing_rookie', 'first_activity', 'long_haul']);
  const told = await scene.readEvents(scene.athlete);
  await scene.api.database.deleteFrom('badges').where('badge', '<>', 'long_haul').execute();
  expect(await run()).toMatchObject({ code: 0, stdout: '2 people, 2 new badges\n', stderr: '' });
  const again = await badges();
  expect(again.map(({ badge }) => badge)).toEqual(mine.map(({ badge }) => badge));
  expect(again.at(-1)).toEqual(mine.at(-1));
  expect(await scene.readEvents(scene.athlete)).toEqual(told);
  expect(JSON.parse((await run('--json')).stdout)).toEqual({ users: 2, badges: 0 });
  expect(await badges()).toEqual(again);
});

test('an erased user gets no badges, the athletes whom they confirmed keep theirs', async () => {
  const { database } = scene.api;
  await database.updateTable('activities').set({ decided_by: DELETED_USER_ID }).execute();
  await database.deleteFrom('badges').execute();
  expect(JSON.parse((await run('--json')).stdout)).toEqual({ users: 1, badges: 3 });
});

test('an athlete without a validated activity earns no badge', async () => {
  await scene.renew();
  await scene.record(makeClimb());
  const { stdout } = await run('--json');
  expect(JSON.parse(stdout).badges).toBe(0);
});
