import type { Op } from '@sendlap/contract/activities.ts';
import type { OutboxTransaction } from './database.ts';
import { findLocalActivity } from './local-activity.ts';
import type { QueuedOp } from './records.ts';

/**
 * Ops that were saved before the first measurement of this device's clock carry the device's own times. The first
 * measurement corrects them, on this device too: `offset_ms` is server time minus device time.
 */
export async function correctTimes(transaction: OutboxTransaction, ops: QueuedOp[], offset_ms: number): Promise<void> {
  const store = transaction.objectStore('ops');
  for (const { op_id } of ops) {
    const row = await store.index('op_id').get(op_id);
    if (!row?.clock_unknown) continue;
    const { clock_unknown, ...op } = row;
    const payload = correctOp(op.payload, offset_ms);
    await store.put({ ...op, payload });
    await correctLocal(transaction, payload);
  }
}

function correctOp(op: Op, offset_ms: number): Op {
  const correctTime = (timestamp: string) => new Date(Date.parse(timestamp) + offset_ms).toISOString();
  switch (op.kind) {
    case 'start':
      return { ...op, started_at: correctTime(op.started_at), ...correctVenueScan(op, correctTime) };
    case 'finish':
      return { ...op, ended_at: correctTime(op.ended_at), ...correctVenueScan(op, correctTime) };
    case 'edit':
      return { ...op, edited_at: correctTime(op.edited_at) };
    case 'appeal':
      return { ...op, appealed_at: correctTime(op.appealed_at) };
    case 'scan':
      // A scan keeps its raw time, with the offset of the clock.
      return { ...op, clock: { ...op.clock, offset_ms, age_ms: 0 } };
    default:
      return op;
  }
}

type WithVenueScan = { venue_scan?: { payload: string; scanned_at: string } | undefined };

function correctVenueScan({ venue_scan }: WithVenueScan, correctTime: (timestamp: string) => string): WithVenueScan {
  return venue_scan ? { venue_scan: { ...venue_scan, scanned_at: correctTime(venue_scan.scanned_at) } } : {};
}

async function correctLocal(transaction: OutboxTransaction, op: Op): Promise<void> {
  if (op.kind !== 'start' && op.kind !== 'finish') return;
  const local = await findLocalActivity(transaction, op.client_id);
  if (!local) return;
  const times = op.kind === 'start' ? { started_at: op.started_at } : { ended_at: op.ended_at };
  await transaction.objectStore('activities').put({ ...local, ...times });
}
