import { getKioskBoard, listKioskKeys, pairKiosk } from '@sendlap/contract/kiosks.ts';
import { readIdempotencyKey } from '#api/http/idempotency-key.ts';
import type { Route } from '#api/http/route.ts';
import type { KioskService } from './service.ts';

export function mountKiosks(route: Route, kiosks: KioskService): void {
  route(pairKiosk, ({ body }, _, { request }) => kiosks.pair(body.code, readIdempotencyKey(request)));
  route(listKioskKeys, (_input, kiosk) => kiosks.listKeys(kiosk));
  route(getKioskBoard, (_input, kiosk) => kiosks.getBoard(kiosk));
}
