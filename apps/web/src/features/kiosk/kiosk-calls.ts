import { getKioskBoard, listKioskKeys, pairKiosk } from '@sendlap/contract/kiosks.ts';
import { request } from '#web/shared/api/client.ts';

/**
 * The kiosk's requests: one attempt each, with the kiosk's own token and without a user session. They throw ApiError.
 */
export const kioskCalls = {
  pair: (code: string, idempotency_key: string) => request(pairKiosk, { body: { code } }, { idempotency_key }),
  listKeys: (token: string) => request(listKioskKeys, {}, { token }),
  getBoard: (token: string) => request(getKioskBoard, {}, { token }),
};

export type KioskCalls = typeof kioskCalls;
