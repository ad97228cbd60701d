import { randomUUID } from 'node:crypto';
import { type CenterAppeal, listCenterAppeals } from '@sendlap/contract/center-management/center-appeals.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#test/app/app.ts';
import { callEndpoint } from '#test/scenes/managed-center.ts';
import { makeManager, makeOperator } from '#test/scenes/right-holders.ts';
import { type Climb, MINUTE_MS, makeClimb, ScanScene } from '#test/scenes/scan-scene.ts';

let scene: ScanScene;
let mia: SignedIn;
beforeAll(async () => {
  scene = await ScanScene.open();
});
beforeEach(async () => {
  await scene.renew();
  mia = await makeManager(scene.api, 'Mia', scene.center);
});
afterAll(() => scene.api.close());

async function appealed(): Promise<Climb> {
  const climb = makeClimb(60, 10);
  await scene.record(climb);
  await scene.scanAt(scene.referee, climb, climb.ended_at + MINUTE_MS, { decision: 'reject' });
  expect((await scene.appeal(climb)).status).toBe(200);
  return climb;
}

async function read({ client_id }: Climb, who = mia): Promise<CenterAppeal | undefined> {
  const { data } = await callEndpoint(scene.api, listCenterAppeals, { who, params: { id: scene.center } });
  return data.items.find((each: CenterAppeal) => each.client_id === client_id);
}

const namesOf = (appeal: CenterAppeal | undefined) => appeal?.referees.map(({ name }) => name) ?? [];

test('a manager who is no referee sees who may decide an appeal, but not the referee who rejected it', async () => {
  const climb = await appealed();
  const before = namesOf(await read(climb));
  expect(before).not.toContain(scene.referee.user.name);
  await scene.addReferee('Roxy');
  const appeal = await read(climb);
  expect(namesOf(appeal)).toEqual([...before, 'Roxy'].sort());
  expect(appeal).toMatchObject({ can_decide: false, sport_type: 'climbing', athlete: expect.any(String) });
});

test('a manager who is a referee too may decide, and then the appeal is gone', async () => {
  const climb = await appealed();
  const roxy = await scene.addReferee('Roxy');
  await scene.api.database
    .insertInto('managers')
    .values({ user_id: roxy.user.id, sport_center_id: scene.center })
    .execute();
  expect(await read(climb, roxy)).toMatchObject({ can_decide: true });
  const { data } = await scene.scanAt(roxy, climb, Date.now());
  expect(data.outcome).toBe('accepted');
  expect(await read(climb, roxy)).toBeUndefined();
});

test('a manager elsewhere does not see it', async () => {
  const climb = await appealed();
  const elsewhere = await makeManager(scene.api, 'Eva', scene.other_center);
  const params = { id: scene.other_center };
  const { data } = await callEndpoint(scene.api, listCenterAppeals, { who: elsewhere, params });
  expect(data.items.map(({ client_id }: CenterAppeal) => client_id)).not.toContain(climb.client_id);
});

test('an operator reads that a center does not exist', async () => {
  const olga = await makeOperator(scene.api, 'Olga');
  const reply = await callEndpoint(scene.api, listCenterAppeals, { who: olga, params: { id: randomUUID() } });
  expect([reply.status, reply.code]).toEqual([404, 'sport_center_not_found']);
});
