import { expect, test } from 'vitest';
import type { ActivityView } from '../data/activity-view.ts';
import { findOverlap, isOverlapRefusal, keepOtherResolution, keepOwnResolution, mergeResolution } from './overlap.ts';

const DAY = '2026-11-21T';
const at = (time: string) => `${DAY}${time}:00.000Z`;
const ms = (time: string) => Date.parse(at(time));
let next_id = 0;
const context = { newId: () => `op ${next_id}`, now: at('12:00') };

function swim(client_id: string, from: string, to: string | null, fields: Partial<ActivityView> = {}): ActivityView {
  return {
    client_id,
    sport_center_id: 'pool',
    sport_center_name: 'Pool',
    sport_type: 'swimming',
    started_at: at(from),
    ended_at: to && at(to),
    status: to ? 'finished' : 'active',
    proof: 'finished',
    distance_m: null,
    paused_s: 0,
    points: 0,
    intensity: null,
    draft: null,
    refusal: null,
    ...fields,
  } as ActivityView;
}

/** Returns the choice "one activity"; throws if it is not offered. */
function mergeOf(here: ActivityView, ...others: ActivityView[]) {
  const { merge, ...overlap } = findOverlap(here, others);
  if (!merge) throw new Error('it is not offered');
  return mergeResolution(here, { ...overlap, merge }, context);
}

function refusal(code: string, ...kinds: NonNullable<ActivityView['refusal']>['kinds']) {
  return { code, message: '', kinds, proposals: [], had_ended: false };
}

test('only a refused start or finish asks for a choice', () => {
  expect(isOverlapRefusal(swim('here', '10:00', '11:00'))).toBe(false);
  for (const [code, kind, asks] of [
    ['activity_overlap', 'start', true],
    ['activity_already_active', 'start', true],
    ['activity_overlap', 'finish', true],
    ['activity_overlap', 'edit', false],
    ['activity_too_old', 'start', false],
  ] as const) {
    expect(isOverlapRefusal({ refusal: refusal(code, kind) }), `${code} of a ${kind}`).toBe(asks);
  }
});

test('an activity overlaps no rejected one, none that was refused as well, and none that only touches it', () => {
  const here = swim('here', '10:00', '11:00', { proof: 'refused' });
  const others = [
    swim('after', '11:00', '12:00'),
    swim('refused', '10:30', '11:00', { proof: 'refused' }),
    swim('rejected', '10:30', '11:00', { status: 'rejected' }),
    swim('before', '09:00', '10:00'),
  ];
  expect(findOverlap(here, [...others, here])).toMatchObject({ others: [], merge: null });
});

test('with one other activity at the same center, one of both is offered; with two it is not', () => {
  const here = swim('here', '09:30', '11:00');
  const one = swim('one', '10:45', '11:15');
  const two = swim('two', '09:00', '10:00');
  const overlap = findOverlap(here, [one]);
  expect(overlap.merge).toMatchObject({ into: one, visit: { started_at: ms('09:30'), ended_at: ms('11:15') } });
  expect(overlap.free_part).toEqual({ started_at: ms('09:30'), ended_at: ms('10:45') });
  expect(findOverlap(here, [one, two])).toMatchObject({ others: [two, one], merge: null });
  expect(findOverlap(here, [{ ...one, sport_center_id: 'other' }])).toMatchObject({ merge: null });
});

test('a running activity can continue after the other one, unless both run', () => {
  const here = swim('here', '10:00', null);
  expect(findOverlap(here, [swim('there', '09:00', '10:20')]).free_part).toEqual({
    started_at: ms('10:20'),
    ended_at: null,
  });
  expect(findOverlap(here, [swim('there', '09:00', null)]).free_part).toBeNull();
});

test('an activity inside of the other has no free part', () => {
  expect(findOverlap(swim('here', '10:10', '10:20'), [swim('there', '10:00', '11:00')]).free_part).toBeNull();
});

test('one of both is an edit of the other; a confirmed one says that it drops the confirmation, if it changes', () => {
  const here = swim('here', '09:30', '11:00', { distance_m: 800 });
  const there = swim('there', '10:00', '10:45', { status: 'validated' });
  const { merge } = findOverlap(here, [there]);
  expect(merge?.drops_proof).toBe(true);
  expect(mergeOf(here, there)).toMatchObject({
    resend: null,
    ops: [
      {
        op: { kind: 'edit', client_id: 'there', started_at: at('09:30'), ended_at: at('11:00'), distance_m: 800 },
        facts: { started_at: at('09:30') },
      },
    ],
  });
  expect(findOverlap(swim('here', '10:10', '10:20'), [there]).merge).toMatchObject({ ops: [], drops_proof: false });
});

test('an ended activity merged into a running one leaves it running, a running one reopens the ended one; lengths are kept', () => {
  const draft = { intensity: null, pool_length_m: 25, lengths: 12 };
  const ended = mergeOf(swim('here', '09:30', '11:00', { draft }), swim('there', '10:00', null));
  expect(ended).toMatchObject({
    ops: [{ op: { kind: 'edit', started_at: at('09:30') } }],
    draft: { client_id: 'there', draft: { lengths: 12 } },
  });
  expect(ended.ops[0]?.op).not.toHaveProperty('ended_at');
  const here = swim('here', '10:30', null, { draft });
  expect(mergeOf(here, swim('there', '10:00', '10:45', { distance_m: 500 }))).toMatchObject({
    ops: [{ op: { kind: 'reopen' } }],
    // 500 m are 20 lengths of 25 m.
    draft: { client_id: 'there', draft: { lengths: 20 } },
  });
});

test('the lengths of a pool in yards are found in the whole metres of the other phone', () => {
  for (let lengths = 1; lengths <= 100; lengths += 1) {
    const here = swim('here', '10:30', null, { draft: { intensity: null, pool_length_m: 22.86, lengths: 0 } });
    const there = swim('there', '10:00', '10:45', { distance_m: Math.round(lengths * 22.86) });
    expect(mergeOf(here, there)).toMatchObject({ draft: { draft: { lengths } } });
  }
});

test('pauses go into the one activity: as notes where it runs, else as the longer sum', () => {
  const rest = { since: { at_ms: ms('10:50') }, until: { at_ms: ms('10:55') } };
  const draft = { intensity: null, pool_length_m: 0, lengths: 0, pauses: [rest] };
  const runs = mergeOf(swim('here', '10:30', null, { draft }), swim('there', '10:00', '10:45', { paused_s: 600 }));
  expect(runs.draft?.draft.pauses).toEqual([{ since: { at_ms: ms('10:35') }, until: { at_ms: ms('10:45') } }, rest]);
  // Also if nothing was noted on this phone: the server forgets the sum of an activity that runs again.
  const unnoted = mergeOf(swim('here', '10:30', null), swim('there', '10:00', '10:45', { paused_s: 600 }));
  expect(unnoted.draft?.draft.pauses).toEqual([{ since: { at_ms: ms('10:35') }, until: { at_ms: ms('10:45') } }]);
  const here = swim('here', '10:00', '11:00', { paused_s: 600 });
  expect(mergeOf(here, swim('there', '10:30', '11:00', { paused_s: 300 })).ops[0]?.op).toMatchObject({
    kind: 'edit',
    started_at: at('10:00'),
    paused_s: 600,
  });
  const known = swim('here', '09:30', '10:30', { paused_s: 300, refusal: refusal('activity_overlap', 'finish') });
  expect(mergeOf(known, swim('there', '10:00', '10:45', { paused_s: 600 })).resend).toMatchObject({ paused_s: 600 });
});

test('an activity that runs by an old list is not merged: its end is not known here', () => {
  const here = swim('here', '09:30', '10:30', { refusal: refusal('activity_overlap', 'finish') });
  expect(findOverlap(here, [swim('there', '10:00', null)]).merge).toBeNull();
});

test("only this phone's deletes all others, and sends this one as it is", () => {
  next_id = 1;
  const others = [swim('one', '10:45', '11:15'), swim('two', '09:00', '10:00')];
  const resolution = keepOwnResolution(findOverlap(swim('here', '09:30', '11:00'), others), context);
  expect(resolution.resend).toEqual({});
  expect(resolution.ops.map(({ op }) => op)).toEqual([
    { kind: 'delete', op_id: 'op 1', client_id: 'two' },
    { kind: 'delete', op_id: 'op 1', client_id: 'one' },
  ]);
});

test('an activity that began before the other one, so that the server has its start, absorbs the other one', () => {
  const here = swim('here', '09:30', '10:30', { distance_m: 400, refusal: refusal('activity_overlap', 'finish') });
  const there = swim('there', '10:00', '10:45', { distance_m: 500 });
  const remove = (client_id: string) => [{ op: { kind: 'delete', client_id } }];
  expect(findOverlap(here, [there])).toMatchObject({
    merge: { into: here, ops: null },
    free_part: { started_at: ms('09:30'), ended_at: ms('10:00') },
  });
  expect(mergeOf(here, there)).toMatchObject({
    ops: remove('there'),
    resend: { ended_at: at('10:45'), distance_m: 500 },
  });
  expect(keepOtherResolution(here, context)).toMatchObject({ ops: remove('here'), resend: null });
  expect(
    keepOtherResolution(swim('here', '10:10', '10:30', { refusal: refusal('activity_overlap', 'start') }), context),
  ).toEqual({
    ops: [],
    resend: null,
  });
});
