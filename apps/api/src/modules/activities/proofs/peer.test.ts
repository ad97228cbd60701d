import { randomUUID } from 'node:crypto';
import type { Sport } from '@sendlap/domain/sports.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createRefereeService } from '#api/modules/referees/service.ts';
import type { SignedIn } from '#test/app/app.ts';
import { befriend } from '#test/factories.ts';
import { type Climb, MINUTE_MS, makeClimb, ScanScene } from '#test/scenes/scan-scene.ts';

let scene: ScanScene;
let bea: SignedIn;

beforeAll(async () => {
  scene = await ScanScene.open();
});
beforeEach(async () => {
  await scene.renew();
  bea = await scene.api.signIn('Bea');
});
afterAll(() => scene.api.close());

async function befriendFor(hours: number): Promise<void> {
  const id = await befriend(scene.api.database, scene.athlete, bea);
  await scene.api.database
    .updateTable('friendships')
    .set({ created_at: new Date(Date.now() - hours * 3_600_000) })
    .where('id', '=', id)
    .execute();
}

async function recorded(): Promise<Climb> {
  const climb = makeClimb();
  await scene.record(climb);
  return climb;
}

const scanBy = (climb: Climb, overrides: object = {}) => scene.validate(bea, scene.codeOf(climb).payload, overrides);

describe('a proof by a scanner without a right at the center is refused', () => {
  test('when they are no friend, although they were there', async () => {
    const climb = await recorded();
    await scene.record(makeClimb(), bea);
    expect((await scanBy(climb)).code).toBe('not_a_referee');
  });

  test('when they are friends for less than a day', async () => {
    await befriendFor(23);
    const climb = await recorded();
    await scene.record(makeClimb(), bea);
    expect((await scanBy(climb)).code).toBe('peer_too_new');
  });

  test('when the friend was not active there at the time', async () => {
    await befriendFor(30);
    const climb = await recorded();
    expect((await scanBy(climb)).code).toBe('peer_not_there');
    await scene.record(makeClimb(30, 95), bea);
    expect((await scanBy(climb)).code).toBe('peer_not_there');
  });

  test('when a friend rejects or corrects', async () => {
    await befriendFor(30);
    const climb = await recorded();
    await scene.record(makeClimb(), bea);
    expect((await scanBy(climb, { decision: 'reject' })).code).toBe('peer_cannot_decide');
    expect((await scanBy(climb, { adjust: { intensity: 'hard' } })).code).toBe('peer_cannot_decide');
    expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'finished', points: 0 });
  });
});

test('a friend who confirms a second one at once is refused, with the time from when it counts', async () => {
  await befriendFor(30);
  const [first, second] = [makeClimb(40, 100), makeClimb(45, 50)];
  for (const climb of [first, second]) await scene.record(climb);
  await scene.record(makeClimb(140, 2), bea);
  const scanned_at = second.ended_at + MINUTE_MS;
  expect((await scene.scanAt(bea, first, scanned_at)).data.outcome).toBe('accepted');
  const allowed_from = new Date(scanned_at + 45 * MINUTE_MS).toISOString();
  expect(await scene.scanAt(bea, second, scanned_at + MINUTE_MS)).toMatchObject({
    status: 422,
    code: 'peer_too_soon',
    message: `Confirmations of a friend must be as far apart as the later activity is long; you can confirm this one from ${allowed_from}`,
  });
  expect(await scene.readMine(second.client_id)).toMatchObject({ validation: 'none', points: 0 });
  expect((await scene.scanAt(bea, second, scanned_at + 45 * MINUTE_MS)).data.outcome).toBe('accepted');
});

test('a friend of a day who was there proves it: points for the level, none on public boards', async () => {
  await befriendFor(24.1);
  const climb = await recorded();
  await scene.record(makeClimb(30, 60), bea);
  expect((await scanBy(climb)).data.outcome).toBe('accepted');
  expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'validated', validation: 'peer', points: 355 });
  expect(await scene.readLedger()).toEqual([355]);
  expect(await scene.readMyRow()).toBeNull();
});

test('a friend takes their proof back: the activity is unproven, and its points are gone', async () => {
  await befriendFor(30);
  const climb = await recorded();
  await scene.record(makeClimb(), bea);
  const op_id = randomUUID();
  expect((await scanBy(climb, { op_id })).data.outcome).toBe('accepted');
  expect((await scene.withdraw(bea, climb, op_id)).status).toBe(200);
  expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'finished', validation: 'none', points: 0 });
  expect(await scene.readLedger()).toEqual([355, -355]);
  const dashboard = await scene.api.app.inject({ url: '/v1/dashboard', headers: scene.athlete.headers });
  expect(dashboard.json().data).toMatchObject({ lifetime_points: 0, week: { points: 0 } });
});

test('a referee outranks a friend, even with the later scan, and the activity is on the board then', async () => {
  await befriendFor(30);
  const climb = makeClimb(90, 30);
  await scene.record(climb);
  await scene.record(makeClimb(90, 30), bea);
  const minute = (nth: number) => climb.ended_at + nth * MINUTE_MS;
  expect((await scene.scanAt(bea, climb, minute(1))).data.outcome).toBe('accepted');
  expect((await scene.scanAt(scene.referee, climb, minute(3))).data.outcome).toBe('accepted');
  expect(await scene.readMine(climb.client_id)).toMatchObject({ validation: 'referee', points: 355 });
  expect((await scene.readMyRow()).points).toBe(355);
  expect(await scene.readLedger()).toEqual([355, -355, 355]);
  const late = await scene.scanAt(bea, climb, minute(5));
  expect(late.code).toBe('activity_already_validated');
});

test('a friend who is still moving proves one who has finished, also before the steps have arrived', async () => {
  await befriendFor(30);
  const climb = makeClimb();
  await scene.record(makeClimb(), bea);
  expect((await scanBy(climb)).data.outcome).toBe('waiting');
  await scene.record(climb);
  expect(await scene.readMine(climb.client_id)).toMatchObject({ validation: 'peer', points: 355 });
});

describe('typed digits', () => {
  const resolve = (who: SignedIn, code: string) => scene.post(who, '/v1/activities/codes/resolve', { code });

  test('of a stranger, of a new friend and of a friend who was elsewhere are as unknown as wrong ones', async () => {
    const climb = await recorded();
    const { digits } = scene.codeOf(climb);
    const answers = [await resolve(bea, digits)];
    await befriendFor(30);
    answers.push(await resolve(bea, digits), await resolve(bea, '00000000'));
    for (const answer of answers) expect(answer).toMatchObject({ status: 422, code: 'digits_unknown' });
    expect(new Set(answers.map(({ message }) => message)).size).toBe(1);
  });

  test('of a friend who was there give the code', async () => {
    await befriendFor(30);
    const climb = await recorded();
    await scene.record(makeClimb(), bea);
    const { digits, payload } = scene.codeOf(climb);
    expect((await resolve(bea, digits)).data).toEqual({ payload });
  });

  test('that are sent again, one after the other or at once, are one guess', async () => {
    const again = Array.from({ length: 12 }, () => resolve(scene.referee, '11111111'));
    for (const reply of await Promise.all(again)) expect(reply.code).toBe('digits_unknown');
    for (let copy = 0; copy < 12; copy += 1) {
      expect((await resolve(scene.referee, '11111111')).code).toBe('digits_unknown');
    }
    for (let guess = 0; guess < 9; guess += 1) {
      expect((await resolve(scene.referee, `2222222${guess}`)).code).toBe('digits_unknown');
    }
    expect((await resolve(scene.referee, '33333333')).code).toBe('too_many_requests');
  });
});

test('a day is a day: the friendship is judged at the scan and not when it arrives', async () => {
  await befriendFor(24);
  const climb = makeClimb(90, 30);
  await scene.record(climb);
  await scene.record(makeClimb(90, 30), bea);
  expect((await scene.scanAt(bea, climb, climb.ended_at + MINUTE_MS)).code).toBe('peer_too_new');
});

describe('a friend who referees only another sport there', () => {
  beforeEach(() => refereeOf(['swimming']));

  test('is refused with the reason while they cannot prove it as a friend', async () => {
    const climb = await recorded();
    expect(await scanBy(climb)).toMatchObject({ code: 'sport_not_refereed', message: expect.stringMatching(/friend/) });
    await befriendFor(30);
    expect(await scanBy(climb)).toMatchObject({ code: 'sport_not_refereed', message: expect.stringMatching(/active/) });
    await scene.record(makeClimb(), bea);
    const correction = await scanBy(climb, { adjust: { intensity: 'hard' } });
    expect(correction).toMatchObject({ code: 'sport_not_refereed', message: expect.stringMatching(/only confirm/) });
  });

  test('still proves it as a friend', async () => {
    await befriendFor(30);
    const climb = await recorded();
    await scene.record(makeClimb(), bea);
    expect((await scanBy(climb)).data.outcome).toBe('accepted');
    expect(await scene.readMine(climb.client_id)).toMatchObject({ validation: 'peer', points: 355 });
  });
});

describe('an activity that a friend left running', () => {
  async function leftRunning(hours: number): Promise<void> {
    await befriendFor(30);
    const started_at = new Date(Date.now() - hours * 3_600_000).toISOString();
    const start = { client_id: randomUUID(), op_id: randomUUID(), sport_center_id: scene.center };
    const reply = await scene.post(bea, '/v1/activities', { ...start, sport_type: 'climbing', started_at });
    expect(reply.status).toBeLessThan(300);
  }

  test('does not put them there more than a day after its start, nor do the digits', async () => {
    await leftRunning(26);
    const climb = await recorded();
    expect((await scanBy(climb)).code).toBe('peer_not_there');
    const digits = await scene.post(bea, '/v1/activities/codes/resolve', { code: scene.codeOf(climb).digits });
    expect(digits.code).toBe('digits_unknown');
  });

  test('puts them there within a day', async () => {
    await leftRunning(24);
    const climb = await recorded();
    const digits = await scene.post(bea, '/v1/activities/codes/resolve', { code: scene.codeOf(climb).digits });
    expect(digits.status).toBe(200);
    expect((await scanBy(climb)).data.outcome).toBe('accepted');
  });
});

async function refereeOf(sport_types: Sport[]): Promise<void> {
  await createRefereeService(scene.api.database).grant({
    user_id: bea.user.id,
    sport_center_id: scene.center,
    sport_types,
    granted_by: 'test',
    valid_from: new Date(Date.now() - 86_400_000),
    valid_until: null,
  });
}
