import type { Reply } from '@sendlap/contract/endpoint.ts';
import { getKioskBoard, listKioskKeys, pairKiosk } from '@sendlap/contract/kiosks.ts';
import { request } from '#web/shared/api/client.ts';

/** A kiosk's calls: one attempt each, with the kiosk's own token and nobody's session. They throw ApiError. */
export interface KioskCalls {
  pair(code: string, idempotency_key: string): Promise<Reply<typeof pairKiosk>>;
  listKeys(token: string): Promise<Reply<typeof listKioskKeys>>;
  getBoard(token: string): Promise<Reply<typeof getKioskBoard>>;
}

export const kioskCalls: KioskCalls = {
  pair: (code, idempotency_key) => request(pairKiosk, { body: { code } }, { idempotency_key }),
  listKeys: (token) => request(listKioskKeys, {}, { token }),
  getBoard: (token) => request(getKioskBoard, {}, { token }),
};
