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

const WITHDRAWN = new AppError('scan_withdrawn', 'This scan was taken back before it was decided');

/** Withdraws a scan that still waits for the athlete's ops: it is never decided, and its own outcome says so. */
export async function saveWithdrawnScan(
  trx: Trx,
  context: Pick<OpContext, 'events'>,
  received: ReceivedOp,
  scan_op_id: string,
): Promise<void> {
  const { user_id, op } = received;
  const condition = sql`op_id = ${scan_op_id} and activity_id = ${op.client_id}`;
  await refuseWaitingScans(trx, user_id, condition, WITHDRAWN);
  const news = [scanDecidedEvent(user_id, scan_op_id, 'rejected', WITHDRAWN.code)];
  const ops = opEntries({ received, outcome: ACCEPTED });
  await runCtes(trx, [...opWriteCtes({ ops }), ...appendEventCtes(news)]);
  context.events.publish(trx, news, []);
}
