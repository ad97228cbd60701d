import { getKioskBoard, listKioskKeys, pairKiosk } from '@sendlap/contract/kiosks.ts';
import type { Reply } from '@sendlap/contract/wire/endpoint.ts';
import { toBase64Url } from '@sendlap/domain/bytes.ts';
import { type FakeServer, Refusal } from './fake-server.ts';

const DAY_MS = 24 * 3_600_000;
const DAYS_OF_KEYS = 8;
/** Has the prefix of the server's tokens. */
export const KIOSK_TOKEN = 'kiosk_0123456789abcdefghijklmnopqrstuvwxyz';

/** One center that lets tablets become its kiosk, each by a one-time code. Its board is empty. */
export class KioskModel {
  /** Codes of the operator that are still unused. */
  readonly codes = new Set<string>();
  readonly used_codes = new Set<string>();

  constructor(server: FakeServer) {
    server.on(pairKiosk, ({ body }) => {
      if (this.used_codes.has(body.code)) throw new Refusal('invite_invalid');
      if (!this.codes.delete(body.code)) throw new Refusal('invite_unknown');
      this.used_codes.add(body.code);
      return { token: KIOSK_TOKEN, ...keysNow() };
    });
    server.on(listKioskKeys, keysNow);
    server.on(getKioskBoard, () => ({
      key: '2026-W47',
      starts_on: '2026-11-16',
      ends_on: '2026-11-22',
      total: 0,
      items: [],
      now: new Date().toISOString(),
    }));
  }
}

/** Returns the keys of today and the next seven days in UTC. */
function keysNow(): Reply<typeof listKioskKeys> {
  const today_ms = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const keys = Array.from({ length: DAYS_OF_KEYS }, (_, day) => ({
    key_id: id(day + 1),
    key: toBase64Url(new Uint8Array(32).fill(day + 1)),
    valid_from: new Date(today_ms + day * DAY_MS).toISOString(),
    valid_until: new Date(today_ms + (day + 1) * DAY_MS).toISOString(),
  }));
  const center = { id: id(99), name: 'La Cebada', city: 'Madrid', time_zone: 'UTC', sports: ['swimming' as const] };
  return { center, keys, now: new Date().toISOString() };
}
