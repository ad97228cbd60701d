import { expect, test } from 'vitest';
import type { OutboxSnapshot } from '#web/shared/outbox/snapshot.ts';
import type { QueuedMessage } from '#web/shared/outbox/store/queued-message.ts';
import type { DeadOp, SealedWork } from '#web/shared/outbox/store/records.ts';
import { syncStateOf } from './sync-state.ts';

interface Fields {
  status?: OutboxSnapshot['status'];
  ops?: number;
  /** A number: so many activities, each with one refused op. */
  dead?: number | DeadOp[];
  broken?: unknown;
  messages?: { attempts?: number; refused?: QueuedMessage['refused'] }[];
  online?: boolean;
  sealed?: { opening?: number; unreadable?: number };
}

function state({
  status = 'idle',
  ops = 0,
  dead = 0,
  broken: storage_error = null,
  messages = [],
  online = true,
  sealed = {},
}: Fields) {
  const dead_ops = typeof dead === 'number' ? Array.from({ length: dead }, (_, id) => deadOf(String(id))) : dead;
  const rows = { ops: Array(ops), dead: dead_ops, waiting: [], activities: [], accepted: [] };
  const about = { user_id: 'ana', loaded: true, status, storage_error };
  const all = { ...rows, ...about, messages: messages.map((message) => ({ ...MESSAGE, ...message })) };
  const { opening = 0, unreadable = 0 } = sealed;
  return syncStateOf(all, online, { opening: sealedOf(opening), unreadable: sealedOf(unreadable) });
}

function deadOf(client_id: string, kind: DeadOp['kind'] = 'edit', code = 'activity_deleted'): DeadOp {
  return { client_id, kind, code } as DeadOp;
}

function sealedOf(item_count: number): SealedWork[] {
  return item_count === 0 ? [] : [{ item_count } as SealedWork];
}

const MESSAGE: QueuedMessage = {
  client_id: crypto.randomUUID(),
  user_id: 'ana',
  chat_id: crypto.randomUUID(),
  to_name: 'Bea',
  text: 'Hi',
  created_at: 0,
  seq: 1,
  attempts: 0,
  last_error: null,
  refused: null,
};
const REFUSED = { code: 'chat_closed', message: 'Closed' };

test('problems come first: a broken outbox, a failure, a refusal', () => {
  expect(state({ broken: new Error('no'), status: 'syncing', ops: 1 })).toEqual({ kind: 'broken' });
  expect(state({ status: 'error', ops: 2, dead: 1 })).toEqual({ kind: 'failed' });
  expect(state({ dead: 2, ops: 1 })).toEqual({ kind: 'refused', count: 2 });
});

test('one activity counts once, and one that overlaps another is to decide, after one that was not accepted', () => {
  const refused = [deadOf('a', 'start', 'activity_too_old'), deadOf('a', 'finish', 'activity_not_found')];
  const overlap = [deadOf('b', 'start', 'activity_overlap'), deadOf('b', 'finish', 'activity_not_found')];
  expect(state({ dead: refused })).toEqual({ kind: 'refused', count: 1 });
  expect(state({ dead: overlap, ops: 1 })).toEqual({ kind: 'undecided', count: 1 });
  expect(state({ dead: [...overlap, deadOf('c', 'start', 'activity_already_active')] })).toMatchObject({ count: 2 });
  expect(state({ dead: [deadOf('d', 'start', 'clock_unsure'), deadOf('d', 'finish', 'clock_unsure')] })).toMatchObject({
    kind: 'undecided',
    count: 1,
  });
  expect(state({ dead: [...overlap, ...refused] })).toEqual({ kind: 'refused', count: 1 });
});

test('it says synced only while nothing waits, and it counts the rows [spec 4.sync.success-count]', () => {
  expect(state({ status: 'success' })).toEqual({ kind: 'synced' });
  expect(state({ status: 'success', ops: 1 })).toEqual({ kind: 'pending', count: 1 });
  expect(state({ status: 'syncing', ops: 3 })).toEqual({ kind: 'syncing' });
  expect(state({ ops: 3 })).toEqual({ kind: 'pending', count: 3 });
  expect(state({})).toEqual({ kind: 'quiet' });
});

test('a message being sent is not shown; one that failed to send counts like a step', () => {
  expect(state({ messages: [{}] })).toEqual({ kind: 'quiet' });
  expect(state({ messages: [{ attempts: 1 }, {}], ops: 1 })).toEqual({ kind: 'pending', count: 3 });
  expect(state({ messages: [{}], online: false })).toEqual({ kind: 'pending', count: 1 });
  expect(state({ messages: [{ attempts: 1 }], status: 'success' })).toEqual({ kind: 'pending', count: 1 });
});

test('a refused message is not accepted, like a refused step', () => {
  expect(state({ messages: [{ attempts: 1, refused: REFUSED }, {}] })).toEqual({ kind: 'refused', count: 1 });
  expect(state({ messages: [{ attempts: 1, refused: REFUSED }], dead: 1 })).toEqual({ kind: 'refused', count: 2 });
});

test('sealed work that opens automatically is pending; damaged work is shown, after refusals', () => {
  expect(state({ ops: 1, sealed: { opening: 2 } })).toEqual({ kind: 'pending', count: 3 });
  expect(state({ status: 'success', sealed: { opening: 2 } })).toEqual({ kind: 'pending', count: 2 });
  expect(state({ ops: 1, sealed: { opening: 1, unreadable: 2 } })).toEqual({ kind: 'unreadable', count: 2 });
  expect(state({ dead: 1, sealed: { unreadable: 2 } })).toEqual({ kind: 'refused', count: 1 });
});
