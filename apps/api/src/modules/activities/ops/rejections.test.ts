import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
import type { SignedIn } from '#test/app/app.ts';
import { befriend } from '#test/factories.ts';
import { type Climb, MINUTE_MS, makeClimb, ScanScene } from '#test/scenes/scan-scene.ts';

const HOUR_MS = 3_600_000;
const REJECTION = { decision: 'reject', reason: 'was not there' };

let scene: ScanScene;
let roxy: SignedIn;
let bea: SignedIn;

beforeAll(async () => {
  scene = await ScanScene.open();
});
beforeEach(async () => {
  await scene.renew();
  roxy = await scene.addReferee('Roxy');
  bea = await scene.api.signIn('Bea');
  const id = await befriend(scene.api.database, scene.athlete, bea);
  const since = new Date(Date.now() - 48 * HOUR_MS);
  await scene.api.database.updateTable('friendships').set({ created_at: since }).where('id', '=', id).execute();
});
afterAll(() => scene.api.close());

const at = (climb: Climb, minutes: number) => climb.ended_at + minutes * MINUTE_MS;
const confirm = (who: SignedIn, climb: Climb, shown = {}) => scene.validate(who, scene.codeOf(climb, shown).payload);

/** Records a climb of the athlete and one of a friend at the same time. */
async function climbedTogether(): Promise<Climb> {
  const climb = makeClimb(90, 30);
  await scene.record(climb);
  await scene.record(makeClimb(90, 30), bea);
  return climb;
}

describe('an edit does not bypass a rejection,', () => {
  test('not one that arrives before the rejection with a later time', async () => {
    const climb = await climbedTogether();
    expect((await scene.edit(climb, { intensity: 'easy' }, at(climb, 4))).status).toBe(200);
    expect((await scene.scanAt(scene.referee, climb, at(climb, 2), REJECTION)).data.outcome).toBe('accepted');
    expect((await confirm(roxy, climb, { intensity: 'easy' })).code).toBe('activity_rejected');
    expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'rejected', can_appeal: true });
  });

  test('not one that drops an earlier confirmation, in whatever order they arrive', async () => {
    const ops = {
      confirm: (climb: Climb) => scene.scanAt(roxy, climb, at(climb, 2)),
      reject: (climb: Climb) => scene.scanAt(scene.referee, climb, at(climb, 4), REJECTION),
      edit: (climb: Climb) => scene.edit(climb, { intensity: 'easy' }, at(climb, 6)),
    };
    const orders = [
      ['confirm', 'reject', 'edit'],
      ['confirm', 'edit', 'reject'],
      ['edit', 'confirm', 'reject'],
      ['edit', 'reject', 'confirm'],
    ] as const;
    for (const order of orders) {
      await scene.renew();
      roxy = await scene.addReferee('Roxy');
      const climb = makeClimb(90, 30);
      await scene.record(climb);
      for (const op of order) await ops[op](climb);
      const { status, points } = await scene.readMine(climb.client_id);
      expect({ status, points }, order.join(', ')).toEqual({ status: 'rejected', points: 0 });
    }
  });

  test.each(['a friend', 'the same referee'])(
    'not one dated before the rejection, when %s confirms after an appeal',
    async (who) => {
      const climb = await climbedTogether();
      await scene.scanAt(scene.referee, climb, at(climb, 2), REJECTION);
      expect((await scene.appeal(climb, at(climb, 20))).status).toBe(200);
      expect((await scene.edit(climb, { intensity: 'easy' }, at(climb, 4))).status).toBe(200);
      const again = await confirm(who === 'a friend' ? bea : scene.referee, climb, { intensity: 'easy' });
      expect(again.code).toBe('appeal_needs_another_referee');
      expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'finished', points: 0 });
      expect((await confirm(roxy, climb, { intensity: 'easy' })).data.outcome).toBe('accepted');
    },
  );
});

describe('a rejected activity that is recorded again cannot be confirmed', () => {
  const ways = ['rejected', 'deleted', 'appealed and deleted', 'appealed and moved'] as const;

  async function recordedAgain(way: (typeof ways)[number]): Promise<Climb> {
    const climb = await climbedTogether();
    expect((await scene.scanAt(scene.referee, climb, at(climb, 2), REJECTION)).data.outcome).toBe('accepted');
    if (way.startsWith('appealed')) expect((await scene.appeal(climb)).status).toBe(200);
    if (way.endsWith('deleted')) expect((await scene.remove(climb)).status).toBe(200);
    if (way.endsWith('moved')) {
      const times = { started_at: new Date(at(climb, -300)), ended_at: new Date(at(climb, -200)) };
      expect((await scene.edit(climb, times)).status).toBe(200);
    }
    const again = { ...climb, client_id: randomUUID() };
    await scene.record(again);
    return again;
  }

  test.each(ways)('by a friend or the same referee, but by another referee: %s', async (way) => {
    const again = await recordedAgain(way);
    const refusal = { status: 422, code: 'appeal_needs_another_referee' };
    expect(await confirm(bea, again)).toMatchObject(refusal);
    expect(await confirm(scene.referee, again)).toMatchObject(refusal);
    expect(await scene.readMine(again.client_id)).toMatchObject({ status: 'finished', points: 0 });
    expect((await confirm(roxy, again)).data.outcome).toBe('accepted');
  });

  test('only for the time and the center that were rejected', async () => {
    const again = await recordedAgain('deleted');
    const later = makeClimb(10, 5);
    await scene.record(later);
    await scene.record(makeClimb(10, 5), bea);
    expect((await confirm(bea, later)).data.outcome).toBe('accepted');
    expect((await scene.remove(again)).status).toBe(200);
    const elsewhere = { client_id: again.client_id, sport_center_id: scene.other_center };
    expect((await confirm(bea, again, elsewhere)).code).toBe('peer_not_there');
  });

  test('until the rejection is withdrawn, also the rejection of a deleted activity', async () => {
    const climb = await climbedTogether();
    const op_id = randomUUID();
    await scene.scanAt(scene.referee, climb, at(climb, 2), { ...REJECTION, op_id });
    await scene.remove(climb);
    const again = { ...climb, client_id: randomUUID() };
    await scene.record(again);
    expect((await confirm(bea, again)).code).toBe('appeal_needs_another_referee');
    expect((await scene.withdraw(scene.referee, climb, op_id)).status).toBe(200);
    expect((await confirm(bea, again)).data.outcome).toBe('accepted');
  });
});

describe('an appeal about an activity that ended long ago', () => {
  async function rejectedLongAgo(hours: number): Promise<Climb> {
    const climb = makeClimb(60, hours * 60);
    await scene.record(climb);
    expect((await scene.scanAt(scene.referee, climb, at(climb, 5), REJECTION)).data.outcome).toBe('accepted');
    return climb;
  }

  test('lets another referee decide for 12 hours from the appeal, and no other user', async () => {
    const climb = await rejectedLongAgo(13);
    expect((await scene.appeal(climb, Date.now() - 11 * HOUR_MS)).status).toBe(200);
    expect((await confirm(scene.referee, climb)).code).toBe('appeal_needs_another_referee');
    await scene.record(makeClimb(60, 13 * 60), bea);
    expect((await confirm(bea, climb)).code).toBe('validation_window_closed');
    const typed = await scene.post(roxy, '/v1/activities/codes/resolve', { code: scene.codeOf(climb).digits });
    expect(typed.status).toBe(200);
    expect((await confirm(roxy, climb)).data.outcome).toBe('accepted');
  });

  test('is over 12 hours after the appeal, and no friend can confirm it', async () => {
    const climb = await rejectedLongAgo(30);
    await scene.record(makeClimb(60, 30 * 60), bea);
    expect((await scene.appeal(climb, Date.now() - 12.1 * HOUR_MS)).status).toBe(200);
    expect((await confirm(roxy, climb)).code).toBe('validation_window_closed');
    expect((await confirm(bea, climb)).code).toBe('validation_window_closed');
  });

  test('cannot be decided once the week is closed', async () => {
    const climb = await rejectedLongAgo(24);
    const { database } = scene.api;
    const long_ago = { started_at: climb.started_at - 16 * 24 * HOUR_MS, ended_at: climb.ended_at - 16 * 24 * HOUR_MS };
    const times = { started_at: new Date(long_ago.started_at), ended_at: new Date(long_ago.ended_at) };
    await database.updateTable('activities').set(times).where('id', '=', climb.client_id).execute();
    expect((await scene.appeal(climb)).status).toBe(200);
    expect((await confirm(roxy, { ...climb, ...long_ago })).code).toBe('validation_window_closed');
  });
});

describe('decisions by one referee or two', () => {
  test('a rejection after another referee’s confirmation is stored without effect, and its sender gets an event', async () => {
    const climb = await climbedTogether();
    const op_id = randomUUID();
    await scene.scanAt(roxy, climb, at(climb, 2));
    expect((await scene.scanAt(scene.referee, climb, at(climb, 4), { ...REJECTION, op_id })).data.outcome).toBe(
      'accepted',
    );
    expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'validated', points: 355 });
    expect(await scene.readEvents(scene.referee)).toEqual([
      { type: 'scan_decided', op_id, outcome: 'overtaken', code: null },
    ]);
  });

  test('a scanner who takes a decision back does not bring an older one of theirs into force', async () => {
    const climb = await climbedTogether();
    const [early, late] = [randomUUID(), randomUUID()];
    await scene.scanAt(scene.referee, climb, at(climb, 4), { op_id: late });
    await scene.scanAt(scene.referee, climb, at(climb, 2), { ...REJECTION, op_id: early });
    expect((await scene.withdraw(scene.referee, climb, early)).status).toBe(200);
    expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'finished', points: 0 });
    expect((await scene.scanAt(scene.referee, climb, at(climb, 6))).data.outcome).toBe('accepted');
  });

  test('two erased referees stay two people: the answer to an appeal still counts', async () => {
    const climb = await climbedTogether();
    await scene.scanAt(scene.referee, climb, at(climb, 2), REJECTION);
    await scene.appeal(climb, at(climb, 4));
    expect((await scene.scanAt(roxy, climb, at(climb, 6))).data.outcome).toBe('accepted');
    for (const who of [scene.referee, roxy]) await erase(who);
    await scene.edit(climb, { intensity: 'easy' }, at(climb, 1));
    expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'validated', points: 355 });
  });
});

/** Does to their decisions the same as erasing the user. */
async function erase(who: SignedIn): Promise<void> {
  await scene.api.database
    .updateTable('decisions')
    .set({ scanner_id: DELETED_USER_ID, op_id: null, reason: null })
    .where('scanner_id', '=', who.user.id)
    .execute();
}
