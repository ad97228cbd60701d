import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeClimb, ScanScene, scanOf } from '#test/scenes/scan-scene.ts';

const YEAR_MS = 365 * 86_400_000;
let scene: ScanScene;

beforeAll(async () => {
  scene = await ScanScene.open();
});
beforeEach(() => scene.renew());
afterAll(() => scene.api.close());

async function recorded() {
  const climb = makeClimb();
  await scene.record(climb);
  return { climb, payload: scene.codeOf(climb).payload };
}

const years = ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '1999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'];

describe.each(years)('a time of %s is refused with a message about the years', (odd) => {
  const refusal = { status: 400, code: 'validation_failed', details: [{ message: expect.stringContaining('years') }] };

  test.each([-YEAR_MS, 0, YEAR_MS])('in a scan, corrected by %d ms, alone and in a queue', async (offset_ms) => {
    const { climb, payload } = await recorded();
    const said = { scanned_at: odd, clock: { offset_ms, age_ms: 1 } };
    expect(await scene.validate(scene.referee, payload, said)).toMatchObject(refusal);
    const op = { kind: 'scan', client_id: climb.client_id, ...scanOf(payload, said) };
    expect(await scene.post(scene.referee, '/v1/activities/sync', { ops: [op] })).toMatchObject(refusal);
    expect((await scene.readMine(climb.client_id)).proofs).toEqual([]);
  });

  test('in a start, a finish, an edit, an appeal and a filter', async () => {
    const { climb } = await recorded();
    const start = { client_id: randomUUID(), sport_center_id: scene.center, sport_type: 'climbing', started_at: odd };
    expect(await scene.send(scene.athlete, 'POST', '/v1/activities', start)).toMatchObject(refusal);
    const path = `/v1/activities/${climb.client_id}`;
    expect(await scene.send(scene.athlete, 'POST', `${path}/finish`, { ended_at: odd })).toMatchObject(refusal);
    expect(await scene.send(scene.athlete, 'PATCH', path, { edited_at: odd })).toMatchObject(refusal);
    expect(await scene.edit(climb, { started_at: odd })).toMatchObject(refusal);
    expect(await scene.send(scene.athlete, 'POST', `${path}/appeal`, { appealed_at: odd })).toMatchObject(refusal);
    for (const filter of ['from', 'to']) {
      const url = `/v1/activities?${filter}=${odd}`;
      const reply = await scene.api.app.inject({ url, headers: scene.athlete.headers });
      expect([reply.statusCode, reply.json().code]).toEqual([400, 'validation_failed']);
    }
  });
});

test.each([
  ['2001-01-01T00:00:00Z', -YEAR_MS, '2000-01-02T00:00:00.000Z'],
  ['2099-12-31T23:59:59Z', YEAR_MS, '2100-12-31T23:59:59.000Z'],
])('a scan of %s by a clock at the limit of the offset is listed with its corrected time', async (...said) => {
  const [scanned_at, offset_ms, at] = said;
  // The referee gets a right at that time: a scanner without a right has none of their claims shown.
  await scene.api.database
    .updateTable('referees')
    .set({ valid_from: new Date('1999-01-01T00:00:00Z') })
    .where('user_id', '=', scene.referee.user.id)
    .execute();
  const { climb, payload } = await recorded();
  const reply = await scene.validate(scene.referee, payload, { scanned_at, clock: { offset_ms, age_ms: 1 } });
  expect(reply.status).toBe(422);
  expect(await scene.readMine(climb.client_id)).toMatchObject({ proofs: [{ outcome: 'refused', at }] });
});

test.each(['/v1/activities', '/v1/activities/decisions'])(
  'a cursor of a far year is an empty page of %s',
  async (url) => {
    const cursor = `999999999999999_${randomUUID()}`;
    const reply = await scene.api.app.inject({ url: `${url}?cursor=${cursor}`, headers: scene.athlete.headers });
    expect([reply.statusCode, reply.json().data.items]).toEqual([200, []]);
  },
);
