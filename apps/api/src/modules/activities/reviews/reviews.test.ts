import { randomUUID } from 'node:crypto';
import { type CenterReview, listCenterReviews } from '@sendlap/contract/center-management/center-reviews.ts';
import {
  keepReview,
  listReviews,
  type Review,
  withdrawDecisions,
} from '@sendlap/contract/server-management/reviews.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
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

describe('managers', () => {
  let mia: SignedIn;
  const rex = () => scene.referee.user;
  beforeEach(async () => {
    mia = await makeManager(scene.api, 'Mia', scene.center);
  });

  /** Reviews about the referee, as this user reads them. */
  async function read(who = mia, id = scene.center) {
    const { data } = await callEndpoint(scene.api, listCenterReviews, { who, params: { id } });
    return (data.items as CenterReview[]).filter((one) => one.scanner_public_id === rex().public_id);
  }

  test('see the reviews of their own center by display name and public id, without those about themselves', async () => {
    const eva = await makeManager(scene.api, 'Eva', scene.other_center);
    const right = { user_id: rex().id, sport_center_id: scene.center };
    await scene.api.database.insertInto('managers').values(right).execute();
    await reject(5);
    const ids = { scanner_public_id: rex().public_id, athlete_public_id: null };
    const review = { kind: 'only_rejections', scanner: 'Rex', athlete: null, ...ids, count: 5 };
    expect(await read()).toEqual([review]);
    const unnamed = scene.api.database.updateTable('users').set({ display_name: null });
    await unnamed.where('id', '=', rex().id).execute();
    expect(await read()).toEqual([{ ...review, scanner: 'Athlete' }]);
    expect([await read(scene.referee), await read(eva, scene.other_center)]).toEqual([[], []]);
    await keep();
    expect(await read()).toEqual([]);
  });

  test.each([
    ['decisions of friends, by which they would learn who is whose friend', 'friend'],
    ['decisions at other centers, by which they would learn who trains elsewhere', 'center'],
  ])('read no review that counts %s', async (_name, change) => {
    await reject(5);
    expect(await read()).toHaveLength(1);
    const elsewhere = JSON.stringify({ sport_center_id: scene.other_center });
    const id = (await reviews())[0]?.decisions[0]?.id ?? '';
    const set = change === 'friend' ? sql`method = 'peer'` : sql`facts = facts || ${elsewhere}::jsonb`;
    await sql`update decisions set ${set} where id = ${id}`.execute(scene.api.database);
    expect(await read()).toEqual([]);
    expect(await reviews()).toHaveLength(1);
  });

  test.each([
    ['deleted', { erase_after: new Date(Date.now() + DAY_MS) }],
    ['suspended', { suspended_at: new Date() }],
  ])('read none about a referee whose account is %s; operators do, as the decisions count', async (_name, lock) => {
    await reject(5);
    const locked = scene.api.database.updateTable('users').set({ is_active: false, ...lock });
    await locked.where('id', '=', rex().id).execute();
    expect(await read()).toEqual([]);
    expect(await reviews()).toHaveLength(1);
  });

  test('read none about a referee who was erased', async () => {
    await reject(5);
    const erased = scene.api.database.updateTable('decisions').set({ scanner_id: DELETED_USER_ID, op_id: null });
    await erased.where('scanner_id', '=', rex().id).execute();
    const { data } = await callEndpoint(scene.api, listCenterReviews, { who: mia, params: { id: scene.center } });
    expect((data.items as CenterReview[]).map((one) => one.scanner_public_id)).not.toContain('deleted-user');
  });
});

test('an operator reads that a center does not exist', async () => {
  const params = { id: randomUUID() };
  const reply = await callEndpoint(scene.api, listCenterReviews, { who: olga, params });
  expect([reply.status, reply.code]).toEqual([404, 'sport_center_not_found']);
});
