import type { Sport } from '@sendlap/domain/sports.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createRefereeService } from '#api/modules/referees/service.ts';
import type { SignedIn } from '#test/app/app.ts';
import { type Climb, MINUTE_MS, makeClimb, ScanScene } from '#test/scenes/scan-scene.ts';

const HOUR_MS = 60 * MINUTE_MS;

let scene: ScanScene;
let roxy: SignedIn;
/** This test's activities; others of the same center may be open too. */
const mine = new Set<string>();

beforeAll(async () => {
  scene = await ScanScene.open();
});
beforeEach(async () => {
  await scene.renew();
  roxy = await scene.addReferee('Roxy');
  mine.clear();
});
afterAll(() => scene.api.close());

async function rejected(climb = makeClimb(60, 10)): Promise<Climb> {
  await scene.record(climb);
  mine.add(climb.client_id);
  const scan = await scene.scanAt(scene.referee, climb, climb.ended_at + MINUTE_MS, { decision: 'reject' });
  expect(scan.data.outcome).toBe('accepted');
  return climb;
}

async function appealed(climb?: Climb): Promise<Climb> {
  const one = await rejected(climb);
  expect((await scene.appeal(one)).status).toBe(200);
  return one;
}

async function askedOf(who: SignedIn) {
  const reply = await scene.api.app.inject({ url: '/v1/referees/appeals', headers: who.headers });
  expect(reply.statusCode).toBe(200);
  return reply.json().data.items.filter(({ client_id }: Climb) => mine.has(client_id));
}

const idsOf = async (who: SignedIn) => (await askedOf(who)).map(({ client_id }: Climb) => client_id);

const questionsTo = async (who: SignedIn) =>
  (await scene.readEvents(who)).filter(({ type }) => type === 'appeal_asked');

const grant = (who: SignedIn, right: { center?: string; sports?: Sport[]; until?: Date }) =>
  createRefereeService(scene.api.database).grant({
    user_id: who.user.id,
    sport_center_id: right.center ?? scene.center,
    sport_types: right.sports ?? ['climbing'],
    granted_by: 'test',
    valid_from: new Date(Date.now() - 86_400_000),
    valid_until: right.until ?? null,
  });

describe('an appeal is not shown to', () => {
  test('a caller without a session', async () => {
    expect((await scene.api.app.inject({ url: '/v1/referees/appeals' })).statusCode).toBe(401);
  });

  test('the referee who rejected it, the athlete, and people without a valid right for the sport at the center', async () => {
    const [elsewhere, swims, before, gone, unrelated] = await Promise.all(
      ['Elsa', 'Sam', 'Ben', 'Gus', 'Mo'].map((name) => scene.api.signIn(name)),
    );
    if (!elsewhere || !swims || !before || !gone || !unrelated) throw new Error('five people');
    await grant(elsewhere, { center: scene.other_center });
    await grant(swims, { sports: ['swimming'] });
    await grant(before, { until: new Date(Date.now() - 1000) });
    await grant(gone, {});
    await scene.revoke(gone);
    await grant(scene.athlete, {});
    const climb = await appealed();
    for (const who of [scene.referee, scene.athlete, elsewhere, swims, before, gone, unrelated]) {
      expect(await idsOf(who), who.user.name).not.toContain(climb.client_id);
      expect(await questionsTo(who), who.user.name).toEqual([]);
    }
  });

  test('every user before it was made, after it was decided, and when the code can no longer be scanned', async () => {
    const climb = await rejected();
    expect(await idsOf(roxy)).toEqual([]);
    await scene.appeal(climb);
    expect(await idsOf(roxy)).toEqual([climb.client_id]);
    await scene.validate(roxy, scene.codeOf(climb).payload);
    expect(await idsOf(roxy)).toEqual([]);
    const late = await appealed(makeClimb(60, 120));
    await scene.api.database
      .updateTable('activities')
      .set({ appealed_at: new Date(Date.now() - 12 * HOUR_MS - 1000) })
      .where('id', '=', late.client_id)
      .execute();
    expect(await idsOf(roxy)).toEqual([]);
  });
});

test('another referee sees who asks, about what and why, newest first; the event names only the center', async () => {
  const first = await appealed(makeClimb(60, 120));
  const second = await appealed();
  const [newest, oldest, ...rest] = await askedOf(roxy);
  expect(rest).toEqual([]);
  expect(newest).toMatchObject({
    client_id: second.client_id,
    athlete: 'Ada',
    sport_type: 'climbing',
    started_at: new Date(second.started_at).toISOString(),
    ended_at: new Date(second.ended_at).toISOString(),
    reason: 'I was there',
  });
  expect(Date.parse(newest.open_until) - Date.parse(newest.appealed_at)).toBe(12 * HOUR_MS);
  expect(oldest.client_id).toBe(first.client_id);
  const question = { type: 'appeal_asked', sport_center_name: newest.sport_center_name, sport_type: 'climbing' };
  expect(await questionsTo(roxy)).toEqual([question, question]);
  expect(await scene.readMine(second.client_id)).toMatchObject({ appealed_at: newest.appealed_at });
});

test('an appeal that is sent twice asks once', async () => {
  const climb = await rejected();
  const op = { op_id: crypto.randomUUID(), appealed_at: new Date().toISOString() };
  const path = `/v1/activities/${climb.client_id}/appeal`;
  for (let copy = 0; copy < 2; copy += 1) expect((await scene.post(scene.athlete, path, op)).status).toBe(200);
  expect(await questionsTo(roxy)).toHaveLength(1);
});
