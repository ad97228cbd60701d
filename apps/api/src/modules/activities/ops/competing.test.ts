import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SignedIn } from '#test/app/app.ts';
import { stepOf } from '#test/factories.ts';
import { type Climb, MINUTE_MS, makeClimb, ScanScene, scanOf } from '#test/scenes/scan-scene.ts';

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

const earlier = (climb: Climb) => climb.ended_at + 2 * MINUTE_MS;
const later = (climb: Climb) => climb.ended_at + 4 * MINUTE_MS;

async function outcomeOf(climb: Climb) {
  const { status, validation, points, ended_at } = await scene.readMine(climb.client_id);
  const booked = (await scene.readLedger()).reduce((sum, each) => sum + each, 0);
  expect(booked).toBe(points);
  return { status, validation, points, ended_at, on_board: (await scene.readMyRow())?.points ?? 0 };
}

const cutTo = (climb: Climb) => ({ adjust: { ended_at: new Date(climb.ended_at - 30 * MINUTE_MS).toISOString() } });
const ANSWERS = ['confirm', 'reject', 'cut'] as const;
type Answer = (typeof ANSWERS)[number];

const pairs = ANSWERS.flatMap((first) => ANSWERS.map((second) => [first, second] as const));
const expected: Record<Answer, object> = {
  confirm: { status: 'validated', validation: 'referee', points: 355, on_board: 355 },
  reject: { status: 'rejected', validation: 'none', points: 0, on_board: 0 },
  // 60 of 90 minutes: 3.94 · 60.
  cut: { status: 'validated', validation: 'referee', points: 236, on_board: 236 },
};

describe('two referees scan one activity; the first scan decides,', () => {
  test.each(pairs)('%s before %s, in whatever order they and the steps arrive', async (first, second) => {
    const bodyOf = (answer: Answer, climb: Climb) => (answer === 'cut' ? cutTo(climb) : { decision: answer });
    const send = {
      first: (climb: Climb) => scene.scanAt(scene.referee, climb, earlier(climb), bodyOf(first, climb)),
      second: (climb: Climb) => scene.scanAt(roxy, climb, later(climb), bodyOf(second, climb)),
      steps: (climb: Climb) => scene.record(climb),
    };
    const orders = [
      ['steps', 'first', 'second'],
      ['steps', 'second', 'first'],
      ['first', 'second', 'steps'],
      ['second', 'first', 'steps'],
      ['first', 'steps', 'second'],
      ['second', 'steps', 'first'],
    ] as const;
    for (const order of orders) {
      await scene.renew();
      roxy = await scene.addReferee('Roxy');
      const climb = makeClimb(90, 30);
      for (const step of order) await send[step](climb);
      expect(await outcomeOf(climb), order.join(', ')).toMatchObject(expected[first]);
    }
  });
});

test('a scan that came first but was made later is overtaken: reversed in the ledger, and its sender gets an event', async () => {
  const climb = makeClimb(90, 30);
  await scene.record(climb);
  const op_id = randomUUID();
  expect((await scene.scanAt(roxy, climb, later(climb), { op_id })).data.outcome).toBe('accepted');
  expect((await scene.scanAt(scene.referee, climb, earlier(climb), cutTo(climb))).data.outcome).toBe('accepted');
  expect(await scene.readLedger()).toEqual([355, -355, 236]);
  expect(await scene.readEvents(roxy)).toEqual([{ type: 'scan_decided', op_id, outcome: 'overtaken', code: null }]);
  const { proofs, ledger } = await scene.readMine(climb.client_id);
  expect(proofs.map((proof: { by: string; outcome: string }) => [proof.by, proof.outcome])).toEqual([
    ['Roxy', 'overtaken'],
    ['Rex', 'in_force'],
  ]);
  expect(ledger.map((entry: { kind: string }) => entry.kind)).toEqual(['validation', 'reversal', 'validation']);
});

test('of scans at the same moment the smaller op id decides', async () => {
  const ids = [randomUUID(), randomUUID()].sort();
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    await scene.renew();
    roxy = await scene.addReferee('Roxy');
    const climb = makeClimb(90, 30);
    await scene.record(climb);
    for (const nth of order) {
      const answer = nth === 0 ? { decision: 'reject' } : {};
      await scene.scanAt(nth === 0 ? roxy : scene.referee, climb, later(climb), { op_id: ids[nth], ...answer });
    }
    expect((await scene.readMine(climb.client_id)).status).toBe('rejected');
  }
});

test('concurrent scans of eight referees leave one decision in force, and its points once', async () => {
  const climb = makeClimb(90, 30);
  await scene.record(climb);
  const referees = await Promise.all(Array.from({ length: 8 }, (_, nth) => scene.addReferee(`R${nth}`)));
  await Promise.all(referees.map((who, nth) => scene.scanAt(who, climb, later(climb) - nth * 1000)));
  expect(await outcomeOf(climb)).toMatchObject({ status: 'validated', points: 355 });
  const row = await scene.api.database
    .selectFrom('activities')
    .select('decided_by')
    .where('id', '=', climb.client_id)
    .executeTakeFirst();
  expect(row?.decided_by).toBe(referees.at(-1)?.user.id);
});

test('twenty concurrent copies of one scan are one decision', async () => {
  const climb = makeClimb();
  await scene.record(climb);
  const scan = scanOf(scene.codeOf(climb).payload);
  const copies = Array.from({ length: 20 }, () => scene.post(scene.referee, '/v1/activities/validate', scan));
  const outcomes = (await Promise.all(copies)).map((reply) => reply.data.outcome).sort();
  expect(outcomes).toEqual(['accepted', ...Array(19).fill('duplicate')]);
  expect(await scene.readLedger()).toEqual([355]);
});

test('a wall clock that jumped in one life of the page is refused, whatever its offset says', async () => {
  const climb = makeClimb();
  await scene.record(climb);
  const clock = { offset_ms: 0, age_ms: 1000, jump_ms: -31_000 };
  const reply = await scene.validate(scene.referee, scene.codeOf(climb).payload, { clock });
  expect(reply).toMatchObject({ status: 422, code: 'clock_jumped' });
  const small = { clock: { ...clock, jump_ms: 30_000 } };
  expect((await scene.validate(scene.referee, scene.codeOf(climb).payload, small)).data.outcome).toBe('accepted');
});

test('a code of a device that was signed out before the scan is refused, one from before it counts', async () => {
  const [gone, kept] = [makeClimb(30, 100), makeClimb(30, 30)];
  for (const climb of [gone, kept]) await scene.record(climb);
  await scene.api.database
    .updateTable('devices')
    .set({ revoked_at: new Date(later(kept)) })
    .where('id', '=', scene.device.key_id)
    .execute();
  expect((await scene.scanAt(scene.referee, gone, later(kept) + MINUTE_MS)).code).toBe('device_revoked');
  expect((await scene.scanAt(scene.referee, kept, earlier(kept))).data.outcome).toBe('accepted');
});

test('the sender of a scan that waited gets its outcome', async () => {
  const climb = makeClimb();
  const [good, late] = [randomUUID(), randomUUID()];
  await scene.validate(scene.referee, scene.codeOf(climb).payload, { op_id: good });
  await scene.validate(roxy, scene.codeOf(climb, { step: stepOf(new Date()) + 1 }).payload, { op_id: late });
  await scene.record(climb);
  expect(await scene.readEvents(scene.referee)).toContainEqual({
    type: 'scan_decided',
    op_id: good,
    outcome: 'accepted',
    code: null,
  });
  expect(await scene.readEvents(roxy)).toEqual([
    { type: 'scan_decided', op_id: late, outcome: 'rejected', code: 'activity_already_validated' },
  ]);
});
