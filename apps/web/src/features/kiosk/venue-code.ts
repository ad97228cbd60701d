import type { KioskKey } from '@sendlap/contract/kiosks.ts';
import { type Bytes, fromBase64Url } from '@sendlap/domain/bytes.ts';
import { encodeVenueCode, MAC_BYTES, qrUrl, sealCode, stepAt, VENUE_STEP_MS } from '@sendlap/domain/qr-code.ts';

const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const;
const KEY_BYTES = 32;

/** The key of one day of the center's zone. It can sign, and nobody can read its bytes. */
export interface DayKey {
  key_id: string;
  key: CryptoKey;
  /** ms epoch, server time; the first moment. */
  valid_from_ms: number;
  /** ms epoch, server time; the first moment that is not the key's any more. */
  valid_until_ms: number;
}

export interface DrawnVenueCode {
  /** The text inside the QR. */
  url: string;
  step: number;
}

/** Makes keys of the wire unreadable. Throws RangeError for one that is no key of 32 bytes. */
export async function importDayKeys(keys: readonly KioskKey[]): Promise<DayKey[]> {
  return Promise.all(
    keys.map(async ({ key_id, key, valid_from, valid_until }) => ({
      key_id,
      key: await importKey(fromBase64Url(key)),
      valid_from_ms: Date.parse(valid_from),
      valid_until_ms: Date.parse(valid_until),
    })),
  );
}

async function importKey(bytes: Bytes | null): Promise<CryptoKey> {
  if (bytes?.length !== KEY_BYTES) throw new RangeError('not a kiosk key');
  const key = await crypto.subtle.importKey('raw', bytes, HMAC, false, ['sign']);
  bytes.fill(0);
  return key;
}

/** The key of a moment (ms epoch, server time); null when this kiosk has none for it. */
export function keyAt(keys: readonly DayKey[], now_ms: number): DayKey | null {
  return keys.find((key) => key.valid_from_ms <= now_ms && now_ms < key.valid_until_ms) ?? null;
}

/** The last moment (ms epoch, server time) for which there is a key; null without keys. */
export function codesUntil(keys: readonly DayKey[]): number | null {
  return keys.length === 0 ? null : Math.max(...keys.map((key) => key.valid_until_ms));
}

/** The code of the step that a moment (ms epoch, server time) lies in, as a link of `origin`. */
export async function drawVenueCode(
  sport_center_id: string,
  { key_id, key }: DayKey,
  now_ms: number,
  origin: string,
): Promise<DrawnVenueCode> {
  const step = stepAt(now_ms, VENUE_STEP_MS);
  const body = encodeVenueCode({ sport_center_id, step, key_id });
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, body)).subarray(0, MAC_BYTES);
  return { url: qrUrl(origin, sealCode(body, mac)), step };
}
