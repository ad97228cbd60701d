import { randomUUID } from 'node:crypto';
import { listCenterReviews } from '@sendlap/contract/center-management/center-reviews.ts';
import {
  keepReview,
  listReviews,
  type Review,
  withdrawDecisions,
} from '@sendlap/contract/server-management/reviews.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SignedIn } from '#test/app/app.ts';
import { callEndpoint } from '#test/scenes/managed-center.ts';
import { makeManager, makeOperator } from '#test/scenes/right-holders.ts';
import { type Climb, MINUTE_MS, makeClimb, ScanScene } from '#test/scenes/scan-scene.ts';

const DAY_MS = 86_400_000;

let scene: ScanScene;
let olga: SignedIn;
let shift_ms = 0;
beforeAll(async () => {
  scene = await ScanScene.open({ now: () => new Date(Date.now() + shift_ms) });
  olga = await makeOperator(scene.api, 'Olga');
});
afterAll(() => scene.api.close());
beforeEach(async () => {
  shift_ms = 0;
  await scene.renew();
  for (const table of ['kept_reviews', 'audit_entries', 'validation_log'] as const)
    await scene.api.database.deleteFrom(table).execute();
});

const reviews = async () =>
  ((await scene.api.app.inject({ url: listReviews.path, headers: olga.headers })).json().data.items as Review[]).filter(
    ({ scanner }) => scanner.public_id === scene.referee.user.public_id,
  );
const post = (path: string, payload: object) => scene.post(olga, path, payload);
const acts = async () =>
  (
    await scene.api.database
      .selectFrom('audit_entries')
      .select(['act', 'actor_id', 'subject_id', 'reason'])
      .orderBy('id')
      .execute()
  ).map(({ act, actor_id, subject_id, reason }) => [act, actor_id, subject_id, reason]);

/** The referee rejects so many climbs of the athlete. */
async function reject(count: number): Promise<Climb[]> {
  const climbs: Climb[] = [];
  for (let at = 0; at < count; at += 1) {
    const base = makeClimb(15);
    const shift = at * 20 * MINUTE_MS;
    const climb = { ...base, started_at: base.started_at - shift, ended_at: base.ended_at - shift };
    await scene.record(climb);
    const { payload } = scene.codeOf(climb);
    expect((await scene.validate(scene.referee, payload, { decision: 'reject', reason: 'No' })).status).toBe(200);
    climbs.push(climb);
  }
  return climbs;
}

const keep = (overrides: object = {}) =>
  post(keepReview.path, {
    kind: 'only_rejections',
    scanner: scene.referee.user.public_id,
    athlete: null,
    reason: 'I was there',
    ...overrides,
  });

describe('refused, and nothing changes:', () => {
  test.each([
    ['an unknown kind', { kind: 'rude' }, 'validation_failed'],
    ['no reason', { reason: '' }, 'validation_failed'],
    ['another kind than the flagged one', { kind: 'one_athlete' }, 'not_found'],
    ['a scanner without a review', { scanner: 'no-such-athlete' }, 'not_found'],
  ])('to keep a review with %s', async (_name, overrides, code) => {
    await reject(5);
    expect((await keep(overrides)).code).toBe(code);
    expect([(await reviews()).length, await acts()]).toEqual([1, []]);
  });

  test('to take back no decision, 21, or without a reason', async () => {
    const ids = Array.from({ length: 21 }, () => randomUUID());
    for (const body of [
      { decision_ids: [], reason: 'x' },
      { decision_ids: ids, reason: 'x' },
      { decision_ids: ids.slice(1) },
    ])
      expect((await post(withdrawDecisions.path, body)).code).toBe('validation_failed');
  });
});

test('a review names the people and the decisions, and is kept off the list until something newer, 30 days later', async () => {
  await reject(5);
  const [review] = await reviews();
  expect(review).toMatchObject({
    kind: 'only_rejections',
    scanner: { public_id: scene.referee.user.public_id, name: 'Rex' },
    athlete: null,
    count: 5,
  });
  expect(review?.decisions[0]).toEqual({
    id: expect.any(String),
    scanned_at: expect.any(String),
    decision: 'reject',
    athlete: { public_id: scene.athlete.user.public_id, name: 'Ada' },
    sport_type: 'climbing',
    sport_center_name: expect.stringContaining('Polideportivo'),
    points: 0,
  });
  expect((await keep()).status).toBe(200);
  expect(await reviews()).toEqual([]);
  expect((await keep()).code).toBe('not_found');
  expect(await acts()).toEqual([['review_kept', olga.user.id, scene.referee.user.id, 'I was there']]);
  // Nothing newer.
  const kept = (days: number) =>
    scene.api.database
      .updateTable('kept_reviews')
      .set({ kept_at: new Date(Date.now() - days * DAY_MS) })
      .execute();
  await kept(29);
  expect(await reviews()).toEqual([]);
  await kept(31);
  expect(await reviews()).toHaveLength(1);
});

test('decisions are taken back one by one, and those not in force are named', async () => {
  const [climb] = await reject(5);
  const id = (await reviews())[0]?.decisions.at(0)?.id ?? '';
  const unknown = randomUUID();
  const { data } = await post(withdrawDecisions.path, { decision_ids: [id, unknown], reason: 'Made up' });
  expect(data).toEqual({
    withdrawn: [id],
    refused: [{ id: unknown, code: 'decision_not_found', message: expect.any(String) }],
  });
  const again = await post(withdrawDecisions.path, { decision_ids: [id], reason: 'Made up' });
  expect(again.data.refused).toMatchObject([{ id, code: 'decision_not_in_force' }]);
  expect(await acts()).toEqual([['decision_withdrawn', olga.user.id, scene.referee.user.id, 'Made up']]);
  const rows = await scene.api.database
    .selectFrom('activities')
    .select(['status'])
    .where('user_id', '=', scene.athlete.user.id)
    .execute();
  expect(rows.filter(({ status }) => status === 'finished')).toHaveLength(1);
  expect(climb).toBeDefined();
  // Four are not suspicious.
  expect(await reviews()).toEqual([]);
});

test('managers see the reviews of their own center by display names, without those about themselves', async () => {
  const mia = await makeManager(scene.api, 'Mia', scene.center);
  const eva = await makeManager(scene.api, 'Eva', scene.other_center);
  const { user: rex } = scene.referee;
  await scene.api.database.insertInto('managers').values({ user_id: rex.id, sport_center_id: scene.center }).execute();
  await scene.api.database.updateTable('users').set({ display_name: 'Rex R.' }).where('id', '=', rex.id).execute();
  const read = async (who: SignedIn, id = scene.center) =>
    (await callEndpoint(scene.api, listCenterReviews, { who, params: { id } })).data.items.filter(
      ({ scanner }: { scanner: string }) => scanner === 'Rex R.',
    );
  await reject(5);
  expect(await read(mia)).toEqual([{ kind: 'only_rejections', scanner: 'Rex R.', athlete: null, count: 5 }]);
  expect([await read(scene.referee), await read(eva, scene.other_center)]).toEqual([[], []]);
  await keep();
  expect(await read(mia)).toEqual([]);
});

test('a review for managers counts no decisions of friends, by which they would learn who is whose friend', async () => {
  const mia = await makeManager(scene.api, 'Mia', scene.center);
  const { id } = scene.referee.user;
  await scene.api.database.updateTable('users').set({ display_name: 'Rex T.' }).where('id', '=', id).execute();
  const readKinds = async () => {
    const { data } = await callEndpoint(scene.api, listCenterReviews, { who: mia, params: { id: scene.center } });
    const mine = data.items.filter(({ scanner }: { scanner: string }) => scanner === 'Rex T.');
    return mine.map(({ kind }: { kind: string }) => kind);
  };
  await reject(5);
  expect(await readKinds()).toEqual(['only_rejections']);
  const [decision] = (await reviews())[0]?.decisions ?? [];
  const by_friend = scene.api.database.updateTable('decisions').set({ method: 'peer' });
  await by_friend.where('id', '=', decision?.id ?? '').execute();
  expect(await readKinds()).toEqual([]);
  expect(await reviews()).toHaveLength(1);
});
