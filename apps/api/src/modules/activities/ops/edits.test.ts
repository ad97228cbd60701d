import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MINUTE_MS, makeClimb, ScanScene, scanOf, wholeSeconds } from '#test/scenes/scan-scene.ts';

let scene: ScanScene;

beforeAll(async () => {
  scene = await ScanScene.open();
});
beforeEach(() => scene.renew());
afterAll(() => scene.api.close());

const iso = (epoch_ms: number) => new Date(epoch_ms).toISOString();

async function validated(minutes = 90, ended_minutes_ago = 1) {
  const climb = makeClimb(minutes, ended_minutes_ago);
  await scene.record(climb);
  expect((await scene.validate(scene.referee, scene.codeOf(climb).payload)).data.outcome).toBe('accepted');
  return climb;
}

describe('an edit is refused, and changes nothing,', () => {
  test.each<[string, object, string]>([
    ['when it ends before the start', { ended_at: iso(Date.now() - 10 * 3_600_000) }, 'activity_duration_invalid'],
    ['when it ends in the future', { ended_at: iso(Date.now() + 3_600_000) }, 'activity_in_future'],
    ['when it starts 15 days ago', { started_at: iso(Date.now() - 15 * 86_400_000) }, 'activity_too_old'],
    ['when a climb gets a distance', { distance_m: 100 }, 'validation_failed'],
    ['when the center is unknown', { sport_center_id: randomUUID() }, 'sport_center_not_found'],
  ])('%s', async (_name, fields, code) => {
    const climb = await validated();
    expect((await scene.edit(climb, fields)).code).toBe(code);
    expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'validated', points: 355 });
  });

  test('when it overlaps with another activity, which the words name', async () => {
    const [one, other] = [makeClimb(30, 60), makeClimb(30, 1)];
    for (const climb of [one, other]) await scene.record(climb);
    const reply = await scene.edit(one, { ended_at: iso(other.ended_at) });
    expect(reply).toMatchObject({ status: 409, code: 'activity_overlap' });
    expect(reply.message).toContain('Polideportivo');
    expect(await scene.readMine(one.client_id)).toMatchObject({ ended_at: iso(one.ended_at) });
  });

  test('when a referee rejected the activity', async () => {
    const climb = makeClimb();
    await scene.record(climb);
    await scene.validate(scene.referee, scene.codeOf(climb).payload, { decision: 'reject' });
    expect((await scene.edit(climb, { intensity: 'easy' })).code).toBe('activity_rejected');
    expect((await scene.readMine(climb.client_id)).intensity).not.toBe('easy');
  });

  test('when it belongs to another athlete, without revealing that it exists', async () => {
    const climb = await validated();
    const url = `/v1/activities/${climb.client_id}`;
    const reply = await scene.send(scene.referee, 'PATCH', url, { edited_at: iso(Date.now()), intensity: 'easy' });
    expect(reply).toMatchObject({ status: 404, code: 'activity_not_found' });
    expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'validated', points: 355 });
  });

  test('when a running one gets an end', async () => {
    const started_at = iso(Date.now() - MINUTE_MS);
    const client_id = randomUUID();
    const start = { op_id: randomUUID(), client_id, sport_center_id: scene.center, sport_type: 'climbing', started_at };
    await scene.post(scene.athlete, '/v1/activities', start);
    const climb = { client_id, started_at: 0, ended_at: 0 };
    expect((await scene.edit(climb, { ended_at: iso(Date.now()) })).code).toBe('activity_not_finished');
    expect((await scene.edit(climb, { intensity: 'hard' })).data).toMatchObject({
      status: 'active',
      intensity: 'hard',
    });
  });
});

describe('an edit of a validated activity', () => {
  test('drops its proof, takes the points back and leaves the board', async () => {
    const climb = await validated();
    const reply = await scene.edit(climb, { ended_at: iso(climb.ended_at - 20 * MINUTE_MS) });
    expect(reply.data).toMatchObject({ status: 'finished', validation: 'none', points: 0, potential_points: 276 });
    expect(await scene.readLedger()).toEqual([355, -355]);
    expect(await scene.readMyRow()).toBeNull();
  });

  test('is reported to its confirmer as an edit, not as another referee’s decision', async () => {
    const climb = await validated();
    await scene.edit(climb, { intensity: 'easy' });
    expect((await scene.readGiven(scene.referee)).items).toMatchObject([{ outcome: 'edited' }]);
    expect(await scene.readEvents(scene.referee)).toMatchObject([{ type: 'scan_decided', outcome: 'edited' }]);
    expect((await scene.readMine(climb.client_id)).proofs).toMatchObject([{ outcome: 'edited' }]);
  });

  test('needs a new scan of the new code; one from before the edit is void however late it comes', async () => {
    const climb = makeClimb(90, 30);
    await scene.record(climb);
    const scanned_ms = climb.ended_at + 2 * MINUTE_MS;
    const ended_at = climb.ended_at - 20 * MINUTE_MS;
    await scene.edit(climb, { ended_at: iso(ended_at) }, scanned_ms + MINUTE_MS);
    expect((await scene.scanAt(scene.referee, climb, scanned_ms)).code).toBe('activity_edited');
    const again = await scene.scanAt(scene.referee, { ...climb, ended_at }, scanned_ms + 2 * MINUTE_MS);
    expect(again.data.outcome).toBe('accepted');
    expect(await scene.readMine(climb.client_id)).toMatchObject({ points: 276, ended_at: iso(ended_at) });
  });

  test('that was made before the scan keeps the proof and the proven facts', async () => {
    const climb = makeClimb(90, 30);
    await scene.record(climb);
    await scene.scanAt(scene.referee, climb, climb.ended_at + 4 * MINUTE_MS);
    const reply = await scene.edit(climb, { intensity: 'easy' }, climb.ended_at + MINUTE_MS);
    expect(reply.data).toMatchObject({ status: 'validated', points: 355, intensity: null });
    const [proof] = (await scene.readGiven(scene.referee)).items;
    await scene.withdraw(scene.referee, climb, proof.op_id);
    // The athlete's claim is restored once the proof is gone.
    expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'finished', points: 0, intensity: 'easy' });
  });

  test('that changes nothing drops nothing', async () => {
    const climb = await validated();
    expect((await scene.edit(climb, { ended_at: iso(climb.ended_at) })).data).toMatchObject({ status: 'validated' });
    expect(await scene.readLedger()).toEqual([355]);
  });

  test('that moves it to another week takes its points back, and stores the day of its new start', async () => {
    const climb = await validated(30, 1);
    const shifted = { started_at: climb.started_at - 8 * 86_400_000, ended_at: climb.ended_at - 8 * 86_400_000 };
    await scene.edit(climb, { started_at: iso(shifted.started_at), ended_at: iso(shifted.ended_at) });
    const row = await scene.api.database
      .selectFrom('activities')
      .select(['local_date', 'week_key'])
      .where('id', '=', climb.client_id)
      .executeTakeFirstOrThrow();
    expect(row.local_date).toBe(new Date(shifted.started_at).toLocaleDateString('sv', { timeZone: 'Europe/Madrid' }));
    expect(await scene.readMyRow()).toBeNull();
  });
});

describe('a deleted activity', () => {
  test('gives its share of the day to the others', async () => {
    const latest = wholeSeconds(Date.now()) - 5 * MINUTE_MS;
    const long = { client_id: randomUUID(), started_at: latest - 200 * MINUTE_MS, ended_at: latest - 20 * MINUTE_MS };
    const early = { client_id: randomUUID(), started_at: latest - 330 * MINUTE_MS, ended_at: latest - 210 * MINUTE_MS };
    for (const climb of [early, long]) {
      await scene.record(climb);
      await scene.validate(scene.referee, scene.codeOf(climb).payload);
    }
    const pointsOf = async () => [
      (await scene.readMine(early.client_id)).points,
      (await scene.readMine(long.client_id)).points,
    ];
    const day = (ms: number) => new Date(ms).toLocaleDateString('en', { timeZone: 'Europe/Madrid' });
    const is_one_day = day(early.started_at) === day(long.started_at);
    // 240 minutes a day: 120 for the first, 120 of 180 for the second.
    expect(await pointsOf()).toEqual(is_one_day ? [473, 473] : [473, 709]);
    await scene.remove(early);
    expect((await scene.readMine(long.client_id)).points).toBe(709);
    expect((await scene.readMyRow()).points).toBe(709);
    const booked = (await scene.readLedger()).reduce((sum, each) => sum + each, 0);
    expect(booked).toBe(709);
  });

  test('is gone from the list with its points, and every later step of it is refused', async () => {
    const climb = await validated();
    expect((await scene.remove(climb)).data).toMatchObject({ status: 'deleted', points: 0 });
    expect(await scene.readLedger()).toEqual([355, -355]);
    expect(await scene.readMyRow()).toBeNull();
    const list = await scene.api.app.inject({ url: '/v1/activities', headers: scene.athlete.headers });
    expect(list.json().data.items).toEqual([]);
    const one = await scene.api.app.inject({
      url: `/v1/activities/${climb.client_id}`,
      headers: scene.athlete.headers,
    });
    expect(one.statusCode).toBe(404);
    expect((await scene.edit(climb, { intensity: 'easy' })).code).toBe('activity_deleted');
    expect((await scene.appeal(climb)).code).toBe('activity_deleted');
    expect((await scene.scanAt(scene.referee, climb, Date.now())).code).toMatch(/activity_deleted|code_replayed/);
    const start = { client_id: climb.client_id, sport_center_id: scene.center, sport_type: 'climbing' };
    const again = await scene.send(scene.athlete, 'POST', '/v1/activities', {
      ...start,
      started_at: iso(climb.started_at),
    });
    expect(again.code).toBe('activity_deleted');
  });

  test('can be deleted again, by the same op and by another', async () => {
    const climb = await validated();
    const op_id = randomUUID();
    const url = `/v1/activities/${climb.client_id}`;
    expect((await scene.send(scene.athlete, 'DELETE', url, { op_id })).replayed).toBeUndefined();
    expect((await scene.send(scene.athlete, 'DELETE', url, { op_id })).replayed).toBe('true');
    expect((await scene.remove(climb)).status).toBe(200);
    expect(await scene.readLedger()).toEqual([355, -355]);
  });

  test('leaves its time to another one, and a scan that waits for it is refused', async () => {
    const climb = makeClimb(90, 30);
    const scan = scanOf(scene.codeOf(climb).payload, { recorded_offline: true });
    await scene.post(scene.referee, '/v1/activities/validate', scan);
    const start = {
      op_id: randomUUID(),
      client_id: climb.client_id,
      sport_center_id: scene.center,
      sport_type: 'climbing',
      started_at: iso(climb.started_at),
    };
    await scene.post(scene.athlete, '/v1/activities', start);
    await scene.remove(climb);
    expect((await scene.post(scene.referee, '/v1/activities/validate', scan)).code).toBe('activity_deleted');
    await scene.record({ ...climb, client_id: randomUUID() });
  });
});

test('a second phone whose start comes second learns where the other activity runs', async () => {
  const start = () => ({
    op_id: randomUUID(),
    client_id: randomUUID(),
    sport_center_id: scene.center,
    sport_type: 'climbing',
    started_at: iso(Date.now() - MINUTE_MS),
  });
  const replies = await Promise.all(
    [start(), start()].map((body) => scene.post(scene.athlete, '/v1/activities', body)),
  );
  expect(replies.map((reply) => reply.status).sort()).toEqual([201, 409]);
  const refused = replies.find((reply) => reply.status === 409);
  expect(refused).toMatchObject({ code: 'activity_already_active' });
  expect(refused?.message).toMatch(/Polideportivo .* another phone/);
});
