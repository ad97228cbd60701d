import type { Activity, Op } from '@sendlap/contract/activities.ts';
import { describe, expect, test } from 'vitest';
import type { DeadOp, LocalActivity, QueuedOp } from '#web/shared/outbox/store/records.ts';
import { findRunning, mergeActivities, mergeWithOutbox } from './activity-view.ts';

const ID = '11111111-1111-4111-8111-111111111111';
const FACTS = {
  sport_center_id: '22222222-2222-4222-8222-222222222222',
  sport_center_name: 'Sharma Climbing',
  sport_type: 'climbing',
  started_at: '2026-11-21T10:00:00.000Z',
  intensity: 'moderate',
} as const;

function local(fields: Partial<LocalActivity> = {}): LocalActivity {
  const about = { id: 'offline_1_a', client_id: ID, user_id: 'ana', created_at: FACTS.started_at };
  const none = { ended_at: null, distance_m: null, draft: null, server: null };
  return { ...FACTS, ...about, ...none, status: 'pending', sync_priority: 1, ...fields };
}

function server(fields: Partial<Activity> = {}): Activity {
  return {
    ...FACTS,
    client_id: ID,
    ended_at: null,
    paused_s: 0,
    status: 'active',
    validation: 'none',
    points: 0,
    potential_points: 0,
    rule_version: 'met-1',
    distance_m: null,
    score: null,
    rejected_reason: null,
    can_appeal: false,
    appealed_at: null,
    proof_note: null,
    ...fields,
  };
}

function queued(kind: Op['kind'], fields: Partial<QueuedOp> = {}): QueuedOp {
  const payload = { kind } as Op;
  const row = { seq: 1, op_id: `${kind} op`, client_id: ID, user_id: 'ana', kind, payload, created_at: 0 };
  return { ...row, attempts: 0, last_error: null, hold_until: null, ...fields };
}

function dead(kind: Op['kind']): DeadOp {
  const { hold_until, ...row } = queued(kind);
  return { ...row, code: 'activity_overlap', message: 'Overlaps', died_at: 0 };
}

const ENDED = '2026-11-21T11:30:00.000Z';
const EMPTY_ROWS = { ops: [], dead: [], activities: [] };

describe('one activity, known from two sides', () => {
  test('keeps its own rule, and the newest known one if the server names a rule that this app does not know', () => {
    const ruleFor = (rule_version: string) => mergeActivities(EMPTY_ROWS, [server({ rule_version })])[0]?.rule_version;
    expect(['met-1', 'met-2', 'met-9'].map(ruleFor)).toEqual(['met-1', 'met-2', 'met-2']);
  });

  test('is shown once, with the finish that was not sent yet', () => {
    const rows = {
      ...EMPTY_ROWS,
      activities: [local({ ended_at: ENDED, status: 'completed' })],
      ops: [queued('finish')],
    };
    const views = mergeActivities(rows, [server()]);
    expect(views).toHaveLength(1);
    // 90 minutes of moderate climbing: the reference value of the rule.
    expect(views[0]).toMatchObject({
      status: 'finished',
      ended_at: ENDED,
      proof: 'saved',
      potential_points: 355,
      points: 0,
    });
  });

  test("the server's decision counts before anything that still waits here", () => {
    const rows = { ...EMPTY_ROWS, activities: [local({ ended_at: ENDED })], ops: [queued('finish')] };
    const decided = server({ status: 'validated', validation: 'referee', points: 300, ended_at: ENDED });
    expect(mergeActivities(rows, [decided])[0]).toMatchObject({ proof: 'validated', points: 300 });
  });

  test("with nothing left to send the server's copy counts, whichever device it is from", () => {
    const copy = server({ status: 'finished', ended_at: ENDED, potential_points: 355 });
    const synced = local({ status: 'synced', ended_at: ENDED, server: copy });
    for (const list of [[copy], []]) {
      expect(mergeActivities({ ...EMPTY_ROWS, activities: [synced] }, list)[0]).toMatchObject({ proof: 'finished' });
    }
  });

  test('a refused step is shown with its reason, and its facts stay', () => {
    const rows = {
      ...EMPTY_ROWS,
      activities: [local({ ended_at: ENDED, status: 'completed' })],
      dead: [dead('finish')],
    };
    expect(mergeActivities(rows, [server()])[0]).toMatchObject({
      status: 'finished',
      ended_at: ENDED,
      proof: 'refused',
      refusal: { code: 'activity_overlap' },
    });
  });

  test("a scan of another athlete's activity is not one of my ops", () => {
    const rows = { ...EMPTY_ROWS, ops: [queued('scan')], dead: [dead('scan')] };
    expect(mergeActivities(rows, [])).toEqual([]);
    expect(mergeActivities(rows, [server()])[0]).toMatchObject({ proof: 'finished', refusal: null });
  });

  test('a finish of this device can be taken back until a decision, sent or not', () => {
    const undo = { since: 0, until: 5000, intensity: null };
    const rows = { ...EMPTY_ROWS, activities: [local({ ended_at: ENDED, undo })] };
    const finished = server({ ended_at: ENDED, status: 'finished' });
    expect(mergeActivities({ ...rows, ops: [queued('finish')] }, [])[0]?.undo).toEqual(undo);
    expect(mergeActivities(rows, [finished])[0]?.undo).toEqual(undo);
    expect(mergeActivities(rows, [{ ...finished, status: 'validated' }])[0]?.undo).toBeNull();
    expect(mergeActivities({ ...rows, activities: [local({ ended_at: ENDED })] }, [finished])[0]?.undo).toBeNull();
  });

  test('runs again after its finish is taken back, whatever the server has, unless a decision came first', () => {
    const rows = { ...EMPTY_ROWS, activities: [local()], ops: [queued('finish'), queued('reopen', { seq: 2 })] };
    const finished = server({ ended_at: ENDED, status: 'finished' });
    for (const ops of [rows.ops, rows.ops.slice(1)]) {
      expect(mergeActivities({ ...rows, ops }, [finished])[0]).toMatchObject({ status: 'active', ended_at: null });
    }
    const validated = server({ ended_at: ENDED, status: 'validated' });
    expect(mergeActivities(rows, [validated])[0]).toMatchObject({ status: 'validated', ended_at: ENDED });
  });
});

describe('steps that change an activity of the server', () => {
  const validated = server({
    status: 'validated',
    validation: 'referee',
    ended_at: ENDED,
    points: 355,
    potential_points: 355,
  });
  const withQueuedOp = (fields: object, row: Partial<QueuedOp> = {}) => {
    const payload = { client_id: ID, op_id: crypto.randomUUID(), ...fields } as Op;
    return { ...EMPTY_ROWS, ops: [queued(payload.kind, { payload, ...row })] };
  };

  test('a refused deletion hides nothing, and says why', () => {
    const [view] = mergeActivities({ ...EMPTY_ROWS, dead: [dead('delete')] }, [validated]);
    expect(view).toMatchObject({ status: 'validated', refusal: { kinds: ['delete'] } });
  });

  test('a refused correction leaves the facts of the server', () => {
    const refused = { ...dead('edit'), payload: { kind: 'edit', ended_at: FACTS.started_at } as Op };
    const [view] = mergeActivities({ ...EMPTY_ROWS, dead: [refused] }, [validated]);
    expect(view).toMatchObject({ status: 'validated', ended_at: ENDED, points: 355 });
  });

  test('a deletion that waits, or that the server knows, is shown as gone', () => {
    expect(mergeActivities(withQueuedOp({ kind: 'delete' }), [validated])).toEqual([]);
    expect(mergeActivities(EMPTY_ROWS, [server({ status: 'deleted' })])).toEqual([]);
  });

  test('a correction that waits shows the new facts without a proof, and the points that they could give', () => {
    const rows = withQueuedOp(
      { kind: 'edit', ended_at: '2026-11-21T11:00:00.000Z', sport_center_id: 'other' },
      { facts: { ...FACTS, sport_center_name: 'Roc30' } },
    );
    expect(mergeActivities(rows, [validated])[0]).toMatchObject({
      ended_at: '2026-11-21T11:00:00.000Z',
      sport_center_name: 'Roc30',
      status: 'finished',
      validation: 'none',
      points: 0,
      // 60 minutes of moderate climbing: 3.94 · 60 = 236.4
      potential_points: 236,
      proof: 'saved',
    });
  });

  test('a correction of a finish that is not sent yet is shown over it', () => {
    const rows = withQueuedOp({ kind: 'edit', intensity: 'easy' });
    const activities = [local({ ended_at: ENDED, status: 'completed' as const })];
    const both = { ...rows, ops: [queued('finish'), ...rows.ops], activities };
    expect(mergeActivities(both, [])[0]).toMatchObject({ ended_at: ENDED, intensity: 'easy', potential_points: 314 });
  });

  test('an appeal that waits makes the activity open again, and can not be made twice', () => {
    const rejected = server({ status: 'rejected', ended_at: ENDED, can_appeal: true, rejected_reason: 'no' });
    expect(mergeActivities(withQueuedOp({ kind: 'appeal' }), [rejected])[0]).toMatchObject({
      status: 'finished',
      can_appeal: false,
      proof: 'saved',
    });
  });
});

test.each([
  ['before the rows of this device are read', { loaded: false, storage_error: null }, []],
  ['once they are read', { loaded: true, storage_error: null }, [ID]],
  ['if they cannot be read', { loaded: false, storage_error: new Error('no disk') }, [ID]],
])("%s, the server's copies are shown or not", (_when, state, ids) => {
  const views = mergeWithOutbox({ ...EMPTY_ROWS, ...state }, [server()]);
  expect(views.map(({ client_id }) => client_id)).toEqual(ids);
});

test('the newest start comes first, from both sides', () => {
  const old = server({ client_id: '33333333-3333-4333-8333-333333333333', started_at: '2026-11-20T10:00:00Z' });
  const views = mergeActivities({ ...EMPTY_ROWS, activities: [local()] }, [old]);
  expect(views.map((view) => view.client_id)).toEqual([ID, old.client_id]);
});

test('an activity whose start was refused is not the running one, so that another can run', () => {
  const refused = mergeActivities({ ...EMPTY_ROWS, activities: [local()], dead: [dead('start')] }, []);
  expect(refused).toMatchObject([{ status: 'active', proof: 'refused' }]);
  expect(findRunning(refused)).toBeNull();
  const other = { client_id: '33333333-3333-4333-8333-333333333333' };
  const both = mergeActivities({ ...EMPTY_ROWS, activities: [local()], dead: [dead('start')] }, [server(other)]);
  expect(findRunning(both)).toMatchObject(other);
});
