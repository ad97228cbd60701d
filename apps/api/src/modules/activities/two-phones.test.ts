import { randomUUID } from 'node:crypto';
import type { Activity, Op, OpResult } from '@sendlap/contract/activities.ts';
import { containsVisit, type MergeOp, mergeOps, visitOf } from '@sendlap/domain/recording/overlaps.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { stepOf } from '#test/factories.ts';
import { MINUTE_MS, ScanScene, wholeSeconds } from '#test/scenes/scan-scene.ts';
import { verifyScores } from './points/verify-scores.ts';

/** Two phones of one athlete that recorded the same time: the ops of each choice on the card, as a phone sends them. */

let scene: ScanScene;

beforeAll(async () => {
  scene = await ScanScene.open();
});
beforeEach(() => scene.renew());
afterAll(() => scene.api.close());

const EARLIEST_MS = wholeSeconds(Date.now() - 300 * MINUTE_MS);
const atMinute = (minute: number) => new Date(EARLIEST_MS + minute * MINUTE_MS).toISOString();
const iso = (epoch_ms: number) => new Date(epoch_ms).toISOString();

/** Minutes; `to` null: it runs. */
interface Swim {
  client_id: string;
  from: number;
  to: number | null;
  distance_m?: number;
}

const swim = (from: number, to: number | null, distance_m?: number): Swim => ({
  client_id: randomUUID(),
  from,
  to,
  ...(distance_m === undefined ? {} : { distance_m }),
});

function recordOps({ client_id, from, to, distance_m }: Swim): Op[] {
  const about = () => ({ client_id, op_id: randomUUID() });
  const what = { sport_center_id: scene.center, sport_type: 'swimming' as const };
  const start: Op = { kind: 'start', ...about(), ...what, started_at: atMinute(from) };
  const distance = distance_m === undefined ? {} : { distance_m };
  return to === null ? [start] : [start, { kind: 'finish', ...about(), ended_at: atMinute(to), ...distance }];
}

async function send(ops: Op[]): Promise<OpResult[]> {
  return ops.length === 0 ? [] : (await scene.post(scene.athlete, '/v1/activities/sync', { ops })).data.results;
}

/** Sends the ops twice, as after a reply that was cut. */
async function sendTwice(ops: Op[]): Promise<OpResult[]> {
  const first = await send(ops);
  const second = await send(ops);
  expect(second.map(({ outcome }) => outcome === 'rejected')).toEqual(
    first.map(({ outcome }) => outcome === 'rejected'),
  );
  return first;
}

async function listMine(): Promise<Activity[]> {
  const reply = await scene.api.app.inject({ url: '/v1/activities', headers: scene.athlete.headers });
  return reply.json().data.items;
}

function toOp(op: MergeOp, client_id: string): Op {
  const about = { client_id, op_id: randomUUID() };
  if (op.kind === 'reopen') return { kind: 'reopen', ...about };
  const { kind: _kind, started_at, ended_at, ...rest } = { started_at: undefined, ended_at: undefined, ...op };
  const start = started_at === undefined ? {} : { started_at: iso(started_at) };
  const end = ended_at === undefined ? {} : { ended_at: iso(ended_at) };
  return { kind: 'edit', ...about, edited_at: iso(Date.now()), ...start, ...end, ...rest };
}

/** The ops of "make them one", by what the phone knows of the other's activity. */
function mergeIntoOps(known: Activity, here: Swim): Op[] {
  const { sport_center_id, sport_type, distance_m, paused_s, status } = known;
  const facts = { sport_center_id, sport_type, distance_m, paused_s, is_validated: status === 'validated' };
  const own = {
    ...facts,
    started_at: Date.parse(atMinute(here.from)),
    ended_at: here.to === null ? null : Date.parse(atMinute(here.to)),
    distance_m: here.distance_m ?? null,
    paused_s: 0,
  };
  return (mergeOps({ ...visitOf(known), ...facts }, own) ?? []).map((op) => toOp(op, known.client_id));
}

/** The other phone's work is on the server, and this phone's is refused. Returns what the server has. */
async function meet(there: Swim, here: Swim): Promise<Activity> {
  await send(recordOps(there));
  const refused = (await sendTwice(recordOps(here))).find(({ outcome }) => outcome === 'rejected');
  expect(['activity_overlap', 'activity_already_active']).toContain(refused?.code);
  const known = (await listMine()).find(({ client_id }) => client_id === there.client_id);
  if (!known) throw new Error('the other phone has nothing');
  return known;
}

describe('a choice that comes too late changes nothing', () => {
  test('one activity, after the other phone deleted its own; this one can still be sent', async () => {
    const here = swim(10, 70);
    const known = await meet(swim(0, 60), here);
    await send([{ kind: 'delete', client_id: known.client_id, op_id: randomUUID() }]);
    expect(await sendTwice(mergeIntoOps(known, here))).toMatchObject([
      { outcome: 'rejected', code: 'activity_deleted' },
    ]);
    expect(await send(recordOps(here))).toMatchObject([{ outcome: 'accepted' }, { outcome: 'accepted' }]);
    expect(await listMine()).toMatchObject([{ client_id: here.client_id }]);
  });

  test('one activity with one that runs, after the other phone ended it: the answer says so; the next choice counts', async () => {
    const here = swim(10, 70);
    const known = await meet(swim(0, null), here);
    const late = mergeIntoOps(known, here);
    await send([{ kind: 'finish', client_id: known.client_id, op_id: randomUUID(), ended_at: atMinute(65) }]);
    const [answer] = await sendTwice(late);
    expect(answer).toMatchObject({ outcome: 'accepted', activity: { ended_at: atMinute(65) } });
    const now = answer?.activity;
    if (!now) throw new Error('no answer');
    expect(
      containsVisit(visitOf(now), { started_at: Date.parse(atMinute(10)), ended_at: Date.parse(atMinute(70)) }),
    ).toBe(false);
    expect(await sendTwice(mergeIntoOps(now, here))).toMatchObject([{ outcome: 'accepted' }]);
    expect(await listMine()).toMatchObject([{ started_at: atMinute(0), ended_at: atMinute(70) }]);
  });

  test('running again, after a referee confirmed it', async () => {
    const climb = {
      client_id: randomUUID(),
      started_at: Date.parse(atMinute(200)),
      ended_at: Date.parse(atMinute(299)),
    };
    await scene.record(climb);
    await scene.validate(scene.referee, scene.codeOf(climb).payload);
    const reopen: Op = { kind: 'reopen', client_id: climb.client_id, op_id: randomUUID() };
    expect(await sendTwice([reopen])).toMatchObject([{ outcome: 'rejected', code: 'activity_already_validated' }]);
  });
});

test.each([
  ['that began after it', 10, 0],
  ['that began before it', 0, 10],
])(
  'the end of this phone, refused beside one that runs on the other, %s, lets that one run on',
  async (_, there, from) => {
    const here = swim(from, 70);
    const known = await meet(swim(there, null), here);
    const union = { client_id: known.client_id, started_at: atMinute(0) };
    for (const { outcome, activity } of await sendTwice(mergeIntoOps(known, here))) {
      expect(outcome).toBe('accepted');
      expect(activity).toMatchObject({ status: 'active', ended_at: null });
    }
    expect(await listMine()).toMatchObject([{ ...union, status: 'active', ended_at: null }]);
    await send([{ kind: 'finish', client_id: known.client_id, op_id: randomUUID(), ended_at: atMinute(90) }]);
    expect(await listMine()).toMatchObject([{ ...union, status: 'finished', ended_at: atMinute(90) }]);
  },
);

test('both phones make them one: it is one, with the longer distance', async () => {
  const here = swim(10, 70, 800);
  const known = await meet(swim(0, 60, 500), here);
  const on_both = [mergeIntoOps(known, here), mergeIntoOps(known, here)];
  for (const ops of on_both) expect(await sendTwice(ops)).toMatchObject([{ outcome: 'accepted' }]);
  const merged = { started_at: atMinute(0), ended_at: atMinute(70), distance_m: 800 };
  expect(await listMine()).toMatchObject([{ client_id: known.client_id, ...merged }]);
});

test('a confirmed one that is made longer loses its points once, and gets new ones by a new confirmation', async () => {
  const there = { client_id: randomUUID(), started_at: Date.parse(atMinute(180)), ended_at: Date.parse(atMinute(240)) };
  await scene.record(there);
  await scene.validate(scene.referee, scene.codeOf(there).payload);
  const here = swim(190, 260);
  await sendTwice(recordOps(here));
  const edit: Op = {
    kind: 'edit',
    client_id: there.client_id,
    op_id: randomUUID(),
    edited_at: iso(Date.now()),
    ended_at: atMinute(260),
  };
  await sendTwice([edit]);
  expect(await listMine()).toMatchObject([{ status: 'finished', points: 0 }]);
  // A later time step: each code counts once.
  const code = scene.codeOf({ ...there, ended_at: Date.parse(atMinute(260)) }, { step: stepOf(new Date()) + 1 });
  await scene.validate(scene.referee, code.payload);
  const [again] = await listMine();
  expect(again).toMatchObject({ status: 'validated', ended_at: atMinute(260) });
  expect(await verifyScores(scene.api.database)).toMatchObject({ differences: [] });
});

type Choice = 'merge' | 'own' | 'other';

/** The ops of a choice. `start_known`: this phone's activity began first, so that only its end was refused. */
function choiceOps(choice: Choice, known: Activity, here: Swim, start_known: boolean): Op[] {
  const remove = (client_id: string): Op => ({ kind: 'delete', client_id, op_id: randomUUID() });
  const again = (swum: Swim) => recordOps(swum).slice(start_known ? 1 : 0);
  if (choice === 'own') return [remove(known.client_id), ...again(here)];
  if (choice === 'other') return start_known ? [remove(here.client_id)] : [];
  if (!start_known) return mergeIntoOps(known, here);
  const known_end = (Date.parse(known.ended_at ?? '') - EARLIEST_MS) / MINUTE_MS;
  return [remove(known.client_id), ...again({ ...here, to: Math.max(here.to ?? 0, known_end) })];
}

/** Two swims that overlap, in minutes. */
const two_swims = fc
  .record({
    first: fc.nat(60),
    length: fc.integer({ min: 2, max: 60 }),
    later: fc.nat(59),
    other_length: fc.integer({ min: 1, max: 60 }),
  })
  .map(({ first, length, later, other_length }) => {
    const second = first + (later % length);
    return [
      { from: first, to: first + length },
      { from: second, to: second + other_length },
    ] as const;
  });
const choices = fc.constantFrom<Choice[]>('merge', 'own', 'other');

test('properties: in either order, whatever is chosen and however often, nothing overlaps and no minute is lost or doubled', async () => {
  await fc.assert(
    fc.asyncProperty(two_swims, choices, fc.boolean(), async ([first, second], choice, is_first_here) => {
      await scene.renew();
      const [a, b] = is_first_here ? [second, first] : [first, second];
      const [there, here] = [swim(a.from, a.to), swim(b.from, b.to)];
      const known = await meet(there, here);
      const start_known = here.from < there.from;
      for (const { outcome } of await sendTwice(choiceOps(choice, known, here, start_known)))
        expect(outcome).toBe('accepted');
      // Chosen again, on the other phone.
      if (choice === 'merge') await sendTwice(choiceOps(choice, known, here, start_known));
      const union = { from: Math.min(there.from, here.from), to: Math.max(a.to, b.to) };
      const { from, to } = { merge: union, own: b, other: a }[choice];
      const mine = await listMine();
      expect(mine).toMatchObject([{ status: 'finished', started_at: atMinute(from), ended_at: atMinute(to) }]);
      expect(mine).toHaveLength(1);
    }),
    { numRuns: 40 },
  );
  expect(await verifyScores(scene.api.database)).toMatchObject({ differences: [] });
});
