import 'fake-indexeddb/auto';
import type { Activity, Op, OpResult } from '@sendlap/contract/activities.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { SWIM_FACTS as facts, openStore } from '#test/unit/outbox-store.ts';
import type { OverlapResolution } from './resolve-overlap.ts';
import type { OutboxStore } from './store.ts';

const ANA = '11111111-1111-4111-8111-111111111111';
const HERE = '22222222-2222-4222-8222-222222222222';
const THERE = '33333333-3333-4333-8333-333333333333';
const NOW_MS = Date.parse('2026-11-21T12:00:00Z');

const known = { ...facts, client_id: THERE, status: 'finished', ended_at: '2026-11-21T10:45:00.000Z' } as Activity;

/** What the server has after `edit`. */
const merged: Activity = { ...known, ended_at: '2026-11-21T11:00:00.000Z' };

let store: OutboxStore;
const newId = () => crypto.randomUUID();
const about = (client_id: string) => ({ op_id: newId(), client_id });

const edit = (): Op => ({
  kind: 'edit',
  ...about(THERE),
  edited_at: facts.started_at,
  ended_at: '2026-11-21T11:00:00.000Z',
});
const remove = (): Op => ({ kind: 'delete', ...about(THERE) });
const reopen = (): Op => ({ kind: 'reopen', ...about(THERE) });
const merge = (...ops: Op[]): OverlapResolution => ({ ops: ops.map((op) => ({ op, facts })), resend: null });

beforeEach(async () => {
  ({ store } = await openStore({ now: () => NOW_MS }));
  await recordHere();
});

/** This phone's activity, from 10:00 to 11:00, is refused. */
async function recordHere(distance_m?: number): Promise<void> {
  await store.discardDead(ANA, HERE);
  const start = { sport_center_id: facts.sport_center_id, sport_type: facts.sport_type, started_at: facts.started_at };
  const end = { ended_at: '2026-11-21T11:00:00.000Z', ...(distance_m === undefined ? {} : { distance_m }) };
  await store.saveOp(ANA, { kind: 'start', ...about(HERE), ...start }, { facts });
  await store.saveOp(ANA, { kind: 'finish', ...about(HERE), ...end }, { facts });
  await answer({ outcome: 'rejected', code: 'activity_overlap' });
}

/** The server answers all queued ops. */
async function answer(result: Partial<OpResult>): Promise<void> {
  const ops = await store.listOps(ANA);
  await store.applyResults(ops.map(({ op_id }) => ({ op_id, outcome: 'accepted', activity: known, ...result })));
}

async function shown() {
  const { ops, dead, activities } = await store.listRows(ANA);
  return {
    queued: ops.map(({ kind, client_id }) => [kind, client_id]),
    refused: dead.map(({ kind, client_id }) => [kind, client_id]),
    activities: activities.map(({ client_id }) => client_id),
  };
}

const REFUSED = [
  ['start', HERE],
  ['finish', HERE],
];
const NOTHING = { queued: [], refused: [], activities: [] };

describe('a choice that changes nothing', () => {
  test('is one about an activity that was not refused, or that was resolved before in another tab', async () => {
    expect(await store.resolveOverlap(ANA, THERE, merge(edit()))).toBe(false);
    expect(await store.resolveOverlap(ANA, HERE, merge(edit()))).toBe(true);
    const once = await shown();
    expect(await store.resolveOverlap(ANA, HERE, merge(edit()))).toBe(false);
    expect(await store.resolveOverlap(ANA, HERE, { ops: [], resend: {} })).toBe(false);
    expect(await shown()).toEqual(once);
  });

  test('is to send it again, after it was made part of another one', async () => {
    await store.resolveOverlap(ANA, HERE, merge(edit()));
    const once = await shown();
    await store.retryDead(ANA, HERE, { started_at: '2026-11-21T10:30:00.000Z' });
    expect(await shown()).toEqual(once);
  });

  test("is one about another user's activity", async () => {
    expect(await store.resolveOverlap(newId(), HERE, merge(edit()))).toBe(false);
    expect(await shown()).toMatchObject({ queued: [], refused: REFUSED });
  });
});

describe('one activity of both', () => {
  test('waits as its op alone: the refused one is no longer shown, and is gone when the server has accepted it', async () => {
    await store.resolveOverlap(ANA, HERE, merge(edit()));
    expect(await shown()).toEqual({ queued: [['edit', THERE]], refused: [], activities: [] });
    await answer({ activity: merged });
    expect(await shown()).toEqual(NOTHING);
    expect(await store.countLocalOnly(ANA)).toBe(0);
  });

  test.each([
    ['the other phone had deleted it', 'activity_deleted', { ...known, status: 'deleted' } as Activity],
    ['a referee had confirmed it', 'activity_already_validated', known],
  ])('that the server refuses because %s loses nothing: the choice is offered again', async (_, code, activity) => {
    await store.resolveOverlap(ANA, HERE, merge(reopen()));
    await answer({ outcome: 'rejected', code, activity });
    expect(await shown()).toMatchObject({ queued: [], refused: REFUSED });
    const { activities } = await store.listRows(ANA);
    // It was shown at once that it runs again; now the server's state is.
    expect(activities.find(({ client_id }) => client_id === THERE)).toMatchObject({ ended_at: known.ended_at });
    expect(await store.resolveOverlap(ANA, HERE, { ops: [], resend: {} })).toBe(true);
  });

  test.each<[string, Partial<Activity>]>([
    ['ended earlier on the other phone', known],
    ['began later there', { started_at: '2026-11-21T10:00:01.000Z', ended_at: null }],
    ['has a shorter distance there', { ...merged, distance_m: 400 }],
  ])(
    'that the server has accepted, but that %s, loses nothing: the athlete is asked again, and then it is gone',
    async (_, facts) => {
      await recordHere(800);
      await store.resolveOverlap(ANA, HERE, merge(edit()));
      const there = { ...known, ...facts };
      await answer({ activity: there });
      expect(await shown()).toMatchObject({ queued: [], refused: REFUSED, activities: [HERE] });
      const marks = (await store.listRows(ANA)).dead.map(({ had_ended = false }) => had_ended);
      expect(marks).toEqual([there.ended_at !== null, there.ended_at !== null]);
      await store.resolveOverlap(ANA, HERE, merge(edit()));
      await answer({ activity: { ...merged, distance_m: 800 } });
      expect(await shown()).toEqual(NOTHING);
    },
  );

  test('that still runs on the other phone contains it, whatever that one has counted so far', async () => {
    await recordHere(800);
    await store.resolveOverlap(ANA, HERE, merge(edit()));
    await answer({ activity: { ...known, status: 'active', ended_at: null } });
    expect(await shown()).toEqual(NOTHING);
  });

  test('of two ops loses nothing either if the server refuses one', async () => {
    const ops = [reopen(), edit()];
    await store.resolveOverlap(ANA, HERE, merge(...ops));
    await store.applyResults([{ op_id: ops[0]?.op_id ?? '', outcome: 'rejected', code: 'activity_already_validated' }]);
    await answer({});
    expect(await shown()).toMatchObject({ queued: [], refused: REFUSED });
  });

  test('that the server does not let run again is not given an earlier start, which would drop its confirmation', async () => {
    const ops: Op[] = [
      reopen(),
      { kind: 'edit', ...about(THERE), edited_at: facts.started_at, started_at: '2026-11-21T09:30:00.000Z' },
    ];
    await store.resolveOverlap(ANA, HERE, merge(...ops));
    await store.applyResults([{ op_id: ops[0]?.op_id ?? '', outcome: 'rejected', code: 'activity_already_validated' }]);
    expect(await shown()).toMatchObject({ queued: [], refused: REFUSED });
  });

  test('that runs again shows it at once, and keeps the lengths that were counted here', async () => {
    const draft = { client_id: THERE, facts, draft: { intensity: null, pool_length_m: 25, lengths: 12 } };
    await store.resolveOverlap(ANA, HERE, { ...merge(reopen()), draft });
    const { activities } = await store.listRows(ANA);
    expect(activities).toMatchObject([{ client_id: THERE, ended_at: null, draft: { lengths: 12 } }]);
  });

  test('that contains it already needs no op', async () => {
    await store.resolveOverlap(ANA, HERE, merge());
    expect(await shown()).toEqual(NOTHING);
  });
});

describe("only this phone's", () => {
  test('is sent again after the deletion of the other, with new op ids', async () => {
    const before = (await store.listRows(ANA)).dead.map(({ op_id }) => op_id);
    await store.resolveOverlap(ANA, HERE, { ...merge(remove()), resend: {} });
    expect(await shown()).toEqual({ queued: [['delete', THERE], ...REFUSED], refused: [], activities: [HERE] });
    const ids = (await store.listOps(ANA)).map(({ op_id }) => op_id);
    expect(ids.filter((id) => before.includes(id))).toEqual([]);
  });

  test('does not care that the other phone had deleted its own', async () => {
    const deletion = remove();
    await store.resolveOverlap(ANA, HERE, { ...merge(deletion), resend: {} });
    await store.applyResults([{ op_id: deletion.op_id, outcome: 'rejected', code: 'activity_not_found' }]);
    expect(await shown()).toMatchObject({ queued: REFUSED, refused: [] });
  });
});
