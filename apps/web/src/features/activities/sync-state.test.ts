import { expect, test } from 'vitest';
import type { OutboxSnapshot } from '#web/shared/outbox/snapshot.ts';
import { syncStateOf } from './sync-state.ts';

function state(fields: { status?: OutboxSnapshot['status']; ops?: number; dead?: number; broken?: unknown }) {
  const rows = { ops: Array(fields.ops ?? 0), dead: Array(fields.dead ?? 0), waiting: [], activities: [] };
  return syncStateOf({
    ...rows,
    user_id: 'ana',
    loaded: true,
    status: fields.status ?? 'idle',
    broken: fields.broken ?? null,
  });
}

test('what went wrong comes first: a broken outbox, a failure, a refusal', () => {
  expect(state({ broken: new Error('no'), status: 'syncing', ops: 1 })).toEqual({ kind: 'broken' });
  expect(state({ status: 'error', ops: 2, dead: 1 })).toEqual({ kind: 'failed' });
  expect(state({ dead: 2, ops: 1 })).toEqual({ kind: 'refused', count: 2 });
});

test('it says synced only while nothing waits, and the count is that of the rows [spec 4.sync.success-count]', () => {
  expect(state({ status: 'success' })).toEqual({ kind: 'synced' });
  expect(state({ status: 'success', ops: 1 })).toEqual({ kind: 'pending', count: 1 });
  expect(state({ status: 'syncing', ops: 3 })).toEqual({ kind: 'syncing' });
  expect(state({ ops: 3 })).toEqual({ kind: 'pending', count: 3 });
  expect(state({})).toEqual({ kind: 'quiet' });
});
