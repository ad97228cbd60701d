import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SignedIn } from '#test/app/app.ts';
import { type Climb, MINUTE_MS, makeClimb, ScanScene } from '#test/scenes/scan-scene.ts';
import { withdrawByOperator, withdrawRefereeDecisions } from '../operator-withdrawals.ts';

let scene: ScanScene;
let roxy: SignedIn;

beforeAll(async () => {
  scene = await ScanScene.open();
});
beforeEach(async () => {
  await scene.renew();
  roxy = await scene.addReferee('Roxy');
});
afterAll(() => scene.api.close());

const at = (climb: Climb, minutes: number) => climb.ended_at + minutes * MINUTE_MS;

async function decided(decision: 'confirm' | 'reject') {
  const climb = makeClimb(90, 30);
  await scene.record(climb);
  const op_id = randomUUID();
  const scan = { op_id, decision, ...(decision === 'reject' ? { reason: 'Left early' } : {}) };
  expect((await scene.scanAt(scene.referee, climb, at(climb, 2), scan)).data.outcome).toBe('accepted');
  return { climb, op_id };
}

describe('an appeal', () => {
  test('of an activity that was not rejected is refused', async () => {
    const { climb } = await decided('confirm');
    expect((await scene.appeal(climb)).code).toBe('activity_not_rejected');
  });

  test('puts a rejected activity back, shows the words of the referee until then, and works once', async () => {
    const { climb } = await decided('reject');
    expect(await scene.readMine(climb.client_id)).toMatchObject({ rejected_reason: 'Left early', can_appeal: true });
    expect((await scene.appeal(climb, at(climb, 5))).data).toMatchObject({
      status: 'finished',
      can_appeal: false,
      rejected_reason: null,
    });
    const second = await scene.scanAt(roxy, climb, at(climb, 7), { decision: 'reject' });
    expect(second.data.outcome).toBe('accepted');
    expect((await scene.appeal(climb)).code).toBe('appeal_used');
    expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'rejected', can_appeal: false });
  });

  test('is not answered by the referee who rejected, but by another', async () => {
    const { climb } = await decided('reject');
    await scene.appeal(climb, at(climb, 5));
    const own = await scene.scanAt(scene.referee, climb, at(climb, 7));
    expect(own).toMatchObject({ status: 422, code: 'appeal_needs_another_referee' });
    expect((await scene.scanAt(roxy, climb, at(climb, 8))).data.outcome).toBe('accepted');
    expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'validated', points: 355 });
  });

  test('cannot be bypassed by an edit', async () => {
    const { climb } = await decided('reject');
    await scene.appeal(climb, at(climb, 5));
    await scene.edit(climb, { intensity: 'easy' }, at(climb, 6));
    const own = await scene.scanAt(scene.referee, climb, at(climb, 7), {}, { intensity: 'easy' });
    expect(own.code).toBe('appeal_needs_another_referee');
  });

  test('and an edit, by a clock that is ahead, get the server’s time: the next scan counts', async () => {
    const { climb } = await decided('reject');
    const ahead = () => Date.now() + 100_000;
    expect((await scene.appeal(climb, Date.now() + 150_000)).code).toBe('activity_in_future');
    expect((await scene.appeal(climb, ahead())).status).toBe(200);
    expect((await scene.edit(climb, { intensity: 'easy' }, ahead())).status).toBe(200);
    const { payload } = scene.codeOf(climb, { intensity: 'easy' });
    expect((await scene.validate(roxy, payload)).data.outcome).toBe('accepted');
  });
});

describe('taking a decision back', () => {
  test('is refused to every other user, after a day, and once the decision is no longer in force', async () => {
    const { climb, op_id } = await decided('confirm');
    expect((await scene.withdraw(roxy, climb, op_id)).code).toBe('decision_not_found');
    expect((await scene.withdraw(scene.athlete, climb, op_id)).code).toBe('decision_not_found');
    const made = (hours: number) =>
      scene.api.database
        .updateTable('decisions')
        .set({ decided_at: new Date(Date.now() - hours * 3_600_000) })
        .where('op_id', '=', op_id)
        .execute();
    await made(25);
    expect((await scene.withdraw(scene.referee, climb, op_id)).code).toBe('decision_too_old');
    await made(1);
    expect((await scene.withdraw(scene.referee, climb, op_id)).status).toBe(200);
    expect((await scene.withdraw(scene.referee, climb, op_id)).code).toBe('decision_not_in_force');
    expect(await scene.readLedger()).toEqual([355, -355]);
  });

  test('reverses the points, once, and the same referee may scan again', async () => {
    const { climb, op_id } = await decided('confirm');
    const copies = Array.from({ length: 10 }, () => scene.withdraw(scene.referee, climb, op_id));
    const codes = (await Promise.all(copies)).map((reply) => reply.code ?? reply.data.outcome);
    expect(codes.filter((code) => code === 'accepted')).toHaveLength(1);
    expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'finished', points: 0 });
    expect(await scene.readMyRow()).toBeNull();
    expect((await scene.scanAt(scene.referee, climb, at(climb, 4))).data.outcome).toBe('accepted');
    expect(await scene.readLedger()).toEqual([355, -355, 355]);
  });

  test('does not restore the decision that it had overtaken: that needs a new scan', async () => {
    const climb = makeClimb(90, 30);
    await scene.record(climb);
    const op_id = randomUUID();
    await scene.scanAt(roxy, climb, at(climb, 4));
    await scene.scanAt(scene.referee, climb, at(climb, 2), { op_id });
    await scene.withdraw(scene.referee, climb, op_id);
    expect((await scene.readMine(climb.client_id)).status).toBe('finished');
    const { items } = await scene.readGiven(roxy);
    expect(items).toMatchObject([{ outcome: 'overtaken', can_withdraw: false, client_id: climb.client_id }]);
  });

  test('of a rejection gives the athlete another chance', async () => {
    const { climb, op_id } = await decided('reject');
    expect((await scene.withdraw(scene.referee, climb, op_id)).status).toBe(200);
    expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'finished', rejected_reason: null });
  });
});

test('a scanner’s decisions are listed newest first, page by page, for that scanner only', async () => {
  const first = await decided('confirm');
  await scene.remove(first.climb);
  const second = await decided('reject');
  const page = await scene.readGiven(scene.referee, '?limit=1');
  expect(page.items).toMatchObject([{ op_id: second.op_id, decision: 'reject', outcome: 'in_force', athlete: 'Ada' }]);
  const rest = await scene.readGiven(scene.referee, `?limit=1&cursor=${page.next_cursor}`);
  expect(rest).toMatchObject({ items: [{ op_id: first.op_id, outcome: 'overtaken' }], next_cursor: null });
  expect((await scene.readGiven(scene.athlete)).items).toEqual([]);
});

describe('an operator', () => {
  test('takes back any decision in force, whatever its age, and both people get an event', async () => {
    const { climb, op_id } = await decided('confirm');
    const { id } = await scene.api.database
      .selectFrom('decisions')
      .select('id')
      .where('op_id', '=', op_id)
      .executeTakeFirstOrThrow();
    const yesterday = new Date(Date.now() - 25 * 3_600_000);
    await scene.api.database.updateTable('decisions').set({ decided_at: yesterday }).where('id', '=', id).execute();
    await withdrawByOperator(scene.api.database, id);
    expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'finished', points: 0 });
    expect(await scene.readEvents(scene.referee)).toContainEqual({
      type: 'scan_decided',
      op_id,
      outcome: 'overtaken',
      code: null,
    });
    const changes = (await scene.readEvents(scene.athlete)).filter(({ type }) => type === 'activity_changed');
    expect(changes.at(-1)).toMatchObject({ activity: { client_id: climb.client_id, status: 'finished', points: 0 } });
    await expect(withdrawByOperator(scene.api.database, id)).rejects.toMatchObject({ code: 'decision_not_in_force' });
    await expect(withdrawByOperator(scene.api.database, randomUUID())).rejects.toMatchObject({
      code: 'decision_not_found',
    });
  });

  test('withdraws all decisions of a referee at a center since a day, and nothing else', async () => {
    const { climb } = await decided('confirm');
    const user_id = scene.referee.user.id;
    const since = new Date(at(climb, 1));
    const all = { user_id, sport_center_id: scene.center, since };
    const elsewhere = { ...all, sport_center_id: scene.other_center };
    expect(await withdrawRefereeDecisions(scene.api.database, elsewhere)).toEqual({ withdrawn: 0, passed_over: [] });
    expect(await withdrawRefereeDecisions(scene.api.database, { ...all, since: new Date() })).toEqual({
      withdrawn: 0,
      passed_over: [],
    });
    expect(await withdrawRefereeDecisions(scene.api.database, all)).toEqual({ withdrawn: 1, passed_over: [] });
    expect(await scene.readLedger()).toEqual([355, -355]);
  });
});
