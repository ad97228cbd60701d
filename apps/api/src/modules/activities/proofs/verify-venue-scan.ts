import type { VenueScan } from '@sendlap/contract/activities.ts';
import { fromBase64Url } from '@sendlap/domain/bytes.ts';
import type * as z from 'zod/mini';
import type { Trx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { OpContext } from '../record/context.ts';

/** A kiosk scan that counts as received now, or the error code of the reason why it does not count. */
export interface VenueScanResult {
  kiosk_id: string | null;
  received_at?: Date;
  /** The code as `kiosk step`. */
  code?: string;
  refusal_code?: string;
}

/**
 * Checks the kiosk code sent with an op. Never refuses the op: a problem with the code is only recorded, because the
 * athlete came to train, not to scan.
 */
export async function verifyVenueScan(
  trx: Trx,
  context: OpContext,
  scan: z.infer<typeof VenueScan>,
  sport_center_id: string,
): Promise<VenueScanResult> {
  const received_at = context.now();
  const bytes = fromBase64Url(scan.payload);
  if (!bytes) return { kiosk_id: null, refusal_code: 'code_unreadable' };
  try {
    const kiosk = await context.kiosks.verifyCode(trx, bytes, received_at);
    if (kiosk.sport_center_id !== sport_center_id)
      return { kiosk_id: kiosk.kiosk_id, refusal_code: 'venue_other_center' };
    return { kiosk_id: kiosk.kiosk_id, received_at, code: `${kiosk.kiosk_id} ${kiosk.step}` };
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return { kiosk_id: null, refusal_code: error.code };
    throw error;
  }
}
