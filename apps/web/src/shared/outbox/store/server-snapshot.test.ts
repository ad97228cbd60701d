import 'fake-indexeddb/auto';
import type { Activity, Op } from '@sendlap/contract/activities.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { SWIM_FACTS as facts, openStore } from '#test/unit/outbox-store.ts';
import type { OutboxStore } from './store.ts';

const ANA = '11111111-1111-4111-8111-111111111111';
const BEN = '22222222-2222-4222-8222-222222222222';
const NOW = Date.parse('2026-11-21T10:00:00Z');

const activity = {
  ...facts,
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
} as const;

let changes = 0;
let store: OutboxStore;
let client_id = '';

beforeEach(async () => {
  changes = 0;
  client_id = crypto.randomUUID();
  ({ store } = await openStore({ now: () => NOW, onChange: () => void changes++ }));
});

const word = (fields: Partial<Activity> = {}): Activity => ({ ...activity, client_id, ...fields });
const kept = async () => (await store.listRows(ANA)).activities.map(({ server }) => server?.status ?? null);

async function start(): Promise<Op> {
  const { sport_center_id, sport_type, started_at } = facts;
  const op: Op = { kind: 'start', op_id: crypto.randomUUID(), client_id, sport_center_id, sport_type, started_at };
  await store.saveOp(ANA, op, { facts });
  return op;
}

async function startAndSend(): Promise<void> {
  const { op_id } = await start();
  await store.applyResults([{ op_id, outcome: 'accepted', activity: word() }]);
}

async function finish(): Promise<Op> {
  const op: Op = { kind: 'finish', op_id: crypto.randomUUID(), client_id, ended_at: '2026-11-21T10:45:00.000Z' };
  await store.saveOp(ANA, op, { facts });
  return op;
}

describe('an activity with a step that the server has not taken stays, whatever the server says', () => {
  test('a start that waits is in no list yet', async () => {
    await start();
    expect(await store.listSynced(ANA)).toEqual([]);
    await store.applyServerSnapshot(ANA, { activities: [], expected_ids: [client_id] });
    expect(await kept()).toEqual([null]);
  });

  test('a finish that was saved while the list was on its way, or that was refused', async () => {
    await startAndSend();
    const expected_ids = await store.listSynced(ANA);
    expect(expected_ids).toEqual([client_id]);
    const { op_id } = await finish();
    await store.applyServerSnapshot(ANA, { activities: [], expected_ids });
    expect(await kept()).toEqual(['active']);
    await store.applyResults([{ op_id, outcome: 'rejected', code: 'activity_duration_invalid', message: 'no' }]);
    expect(await store.listSynced(ANA)).toEqual([]);
    await store.applyServerSnapshot(ANA, { activities: [], expected_ids });
    expect(await kept()).toEqual(['active']);
  });
});

test('an activity whose start was answered after the list was requested stays', async () => {
  const expected_ids = await store.listSynced(ANA);
  await startAndSend();
  await store.applyServerSnapshot(ANA, { activities: [], expected_ids });
  expect(await kept()).toEqual(['active']);
});

test('another user of this browser loses nothing by my list', async () => {
  await startAndSend();
  await store.applyServerSnapshot(BEN, { activities: [], expected_ids: [client_id] });
  expect(await kept()).toEqual(['active']);
});

test('an activity that was deleted on another device is removed here with the next list, or with its event', async () => {
  await startAndSend();
  await store.applyServerSnapshot(ANA, { activities: [], expected_ids: await store.listSynced(ANA) });
  expect(await kept()).toEqual([]);
  client_id = crypto.randomUUID();
  await startAndSend();
  await store.applyServerSnapshot(ANA, { activities: [word({ status: 'deleted' })] });
  expect(await kept()).toEqual([]);
});

test('lengths noted of an activity that began elsewhere do not keep it alive', async () => {
  await store.saveDraft(ANA, client_id, { intensity: 'hard', pool_length_m: 25, lengths: 4 }, facts);
  await store.applyServerSnapshot(ANA, { activities: [], expected_ids: await store.listSynced(ANA) });
  expect(await kept()).toEqual([]);
});

test('a newer snapshot of an activity replaces the older one, and an equal one is not written', async () => {
  await startAndSend();
  changes = 0;
  const validated = word({ status: 'validated', validation: 'referee', points: 331 });
  await store.applyServerSnapshot(ANA, { activities: [validated] });
  await store.applyServerSnapshot(ANA, { activities: [{ ...validated }] });
  expect(await kept()).toEqual(['validated']);
  expect(changes).toBe(1);
});
