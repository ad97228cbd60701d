import { sql } from 'kysely';
import type { Trx } from '#api/database/database.ts';
import { appendEventCtes } from '#api/events/event-store.ts';
import { AppError } from '#api/platform/errors.ts';
import { refuseWaitingScans } from '../proofs/waiting-scan-store.ts';
import type { OpContext } from '../record/context.ts';
import { opWriteCtes, runCtes } from '../record/op-writes.ts';
import { ACCEPTED, scanDecidedEvent } from '../record/refusals.ts';
import { opEntries } from './save-change.ts';
import type { ReceivedOp } from './stages.ts';

const WITHDRAWN = new AppError('scan_withdrawn', 'This scan was withdrawn before it was decided');

/**
 * Withdraws a scan that still waits for the athlete's ops. The scan's outcome becomes `rejected` with `scan_withdrawn`; the
 * withdrawal itself is accepted.
 */
export async function saveScanWithdrawal(
  trx: Trx,
  context: Pick<OpContext, 'events'>,
  received: ReceivedOp,
  scan_op_id: string,
): Promise<void> {
  const { user_id, op } = received;
  const condition = sql`op_id = ${scan_op_id} and activity_id = ${op.client_id}`;
  await refuseWaitingScans(trx, user_id, condition, WITHDRAWN);
  const events_to_send = [scanDecidedEvent(user_id, scan_op_id, 'rejected', WITHDRAWN.code)];
  const ops = opEntries({ received, outcome: ACCEPTED });
  await runCtes(trx, [...opWriteCtes({ ops }), ...appendEventCtes(events_to_send)]);
  context.events.publish(trx, events_to_send, []);
}
