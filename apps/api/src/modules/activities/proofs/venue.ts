import type { VenueScan } from '@sendlap/contract/activities.ts';
import { fromBase64Url } from '@sendlap/domain/bytes.ts';
import type * as z from 'zod/mini';
import type { Trx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { OpContext } from '../record/context.ts';

/** A kiosk scan that counts as received now, or the error code of the reason why it does not count. */
export interface VenueProof {
  kiosk_id: string | null;
  received_at?: Date;
  note?: string;
}

/**
 * Checks the kiosk code sent with an op. Never refuses the op: a problem with the code is only noted, because the
 * athlete came to train, not to scan.
 */
export async function proveVenue(
  trx: Trx,
  context: OpContext,
  scan: z.infer<typeof VenueScan>,
  sport_center_id: string,
): Promise<VenueProof> {
  const received_at = context.now();
  const bytes = fromBase64Url(scan.payload);
  if (!bytes) return { kiosk_id: null, note: 'code_unreadable' };
  try {
    const kiosk = await context.kiosks.provenCenter(trx, bytes, received_at);
    if (kiosk.sport_center_id !== sport_center_id) return { kiosk_id: kiosk.kiosk_id, note: 'venue_other_center' };
    return { kiosk_id: kiosk.kiosk_id, received_at };
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return { kiosk_id: null, note: error.code };
    throw error;
  }
}
