import { sql } from 'kysely';
import { appendEventCtes } from '#api/events/event-store.ts';
import { createPeriodicJob, type PeriodicJob } from '#api/platform/periodic-job.ts';
import { listScannersWithExpiredScans, refuseWaitingScans } from '../proofs/waiting-scan-store.ts';
import type { OpContext } from '../record/context.ts';
import { runCtes } from '../record/op-writes.ts';
import { scanDecidedEvent } from '../record/refusals.ts';
import { lockUsers } from '../record/store.ts';
import { SCAN_EXPIRED } from './join-waiting-scans.ts';

const INTERVAL_MS = 3_600_000;

interface ScanExpiryOptions extends Pick<OpContext, 'database' | 'events' | 'now'> {
  log: { warn(fields: object, text: string): void };
}

/**
 * Job that rejects waiting scans whose activity never arrived, and notifies their scanners. Several nodes may run it
 * at once; a scan whose activity arrives at the same moment is decided by the op that brings the activity.
 */
export function createScanExpiry({ log, ...context }: ScanExpiryOptions): PeriodicJob {
  return createPeriodicJob({
    name: 'scan_expiry',
    interval_ms: INTERVAL_MS,
    async work() {
      let count = 0;
      for (const scanner_id of await listScannersWithExpiredScans(context.database, context.now())) {
        count += await expireScansOf(context, scanner_id);
      }
      return count;
    },
    log,
    failure_message: 'expired scans could not be taken out; retrying later',
  });
}

function expireScansOf({ events, now }: Pick<OpContext, 'events' | 'now'>, scanner_id: string): Promise<number> {
  return events.transact(async (trx) => {
    await lockUsers(trx, [scanner_id]);
    const op_ids = await refuseWaitingScans(trx, scanner_id, sql`expires_at <= ${now()}`, SCAN_EXPIRED);
    const decided_events = op_ids.map((op_id) => scanDecidedEvent(scanner_id, op_id, 'rejected', SCAN_EXPIRED.code));
    await runCtes(trx, appendEventCtes(decided_events));
    events.publish(trx, decided_events, []);
    return op_ids.length;
  });
}
