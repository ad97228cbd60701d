import type { Reply } from '@sendlap/contract/endpoint.ts';
import type { getKioskBoard, listKioskKeys } from '@sendlap/contract/kiosks.ts';
import type { DayKey } from './venue-code.ts';

export type KioskCenter = Reply<typeof listKioskKeys>['center'];

/** What makes this tablet a center's kiosk. */
export interface Pairing {
  token: string;
  center: KioskCenter;
  keys: DayKey[];
  /** ms epoch, server time: when the keys came. */
  keys_at_ms: number;
}

/** This week's board, as it was at `at_ms` (ms epoch, server time). */
export interface KioskBoard {
  board: Reply<typeof getKioskBoard>;
  at_ms: number;
}

/** A code that was sent; the same key again gives the same answer, should the first one have been lost. */
export interface PairingAttempt {
  code: string;
  idempotency_key: string;
}
