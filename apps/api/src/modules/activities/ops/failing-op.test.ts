import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeClimb, ScanScene } from '#test/scenes/scan-scene.ts';

let scene: ScanScene;
beforeAll(async () => {
  scene = await ScanScene.open();
  await scene.renew();
});
afterAll(() => scene.api.close());

test('an op that fails on the server ends the call: ops before it are saved once, those after it are not', async () => {
  const climb = makeClimb();
  const ended_at = new Date(climb.ended_at).toISOString();
  const facts = { sport_center_id: scene.center, sport_type: 'climbing' };
  const start = {
    kind: 'start',
    ...facts,
    client_id: climb.client_id,
    op_id: randomUUID(),
    started_at: new Date(climb.started_at).toISOString(),
  };
  const failing = { kind: 'delete', client_id: randomUUID(), op_id: randomUUID() };
  const finish = { kind: 'finish', client_id: climb.client_id, op_id: randomUUID(), ended_at };
  await sql`
    create function fail_for_a_test() returns trigger language plpgsql as $$
    begin if new.op_id = ${sql.lit(failing.op_id)}::uuid then raise exception 'cut'; end if; return new; end $$`.execute(
    scene.api.database,
  );
  await sql`create trigger fail_for_a_test before insert on activity_ops for each row execute function fail_for_a_test()`.execute(
    scene.api.database,
  );
  const sync = (ops: object[]) => scene.post(scene.athlete, '/v1/activities/sync', { ops });
  for (const _try of [1, 2]) expect((await sync([start, failing, finish])).status).toBe(500);
  expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'active' });
  // What the device does: fewer at a time, and the failing op not before a while.
  const { data } = await sync([start, finish]);
  expect(data.results).toMatchObject([{ outcome: 'duplicate' }, { outcome: 'accepted' }]);
});
