import type { KioskKey } from '@sendlap/contract/kiosks.ts';
import { type Bytes, fromBase64Url } from '@sendlap/domain/bytes.ts';
import {
  appendMac,
  encodeVenueCode,
  MAC_BYTES,
  qrUrl,
  timeStepAt,
  VENUE_TIME_STEP_MS,
} from '@sendlap/domain/qr-code.ts';

const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const;
const KEY_BYTES = 32;

/** The key of one day in the center's time zone. It can sign, but its bytes cannot be exported. */
export interface DayKey {
  key_id: string;
  key: CryptoKey;
  /** First moment at which the key is valid (ms epoch, server time). */
  valid_from_ms: number;
  /** First moment at which the key is no longer valid (ms epoch, server time). */
  valid_until_ms: number;
}

/** What keeps a kiosk's keys and signs with them. */
export interface KioskSigner {
  /** May clear the bytes. */
  importKey: (bytes: Bytes) => Promise<CryptoKey>;
  /** Returns a MAC of at least 16 bytes. */
  sign: (key: CryptoKey, body: Bytes) => Promise<Uint8Array>;
}

const HMAC_SIGNER: KioskSigner = {
  async importKey(bytes) {
    const key = await crypto.subtle.importKey('raw', bytes, HMAC, false, ['sign']);
    bytes.fill(0);
    return key;
  },
  sign: async (key, body) => new Uint8Array(await crypto.subtle.sign('HMAC', key, body)),
};

export interface SignedVenueCode {
  /** The text inside the QR. */
  url: string;
  time_step: number;
}

/** Imports the server's keys as non-extractable ones. Throws RangeError for a key that is not 32 bytes. */
export async function importDayKeys(
  keys: readonly KioskKey[],
  { importKey }: KioskSigner = HMAC_SIGNER,
): Promise<DayKey[]> {
  return Promise.all(
    keys.map(async ({ key_id, key, valid_from, valid_until }) => ({
      key_id,
      key: await importKey(readKey(key)),
      valid_from_ms: Date.parse(valid_from),
      valid_until_ms: Date.parse(valid_until),
    })),
  );
}

function readKey(text: string): Bytes {
  const bytes = fromBase64Url(text);
  if (bytes?.length !== KEY_BYTES) throw new RangeError('not a kiosk key');
  return bytes;
}

/** Returns the key valid at a moment (ms epoch, server time); null if this kiosk has none for it. */
export function keyAt(keys: readonly DayKey[], now_ms: number): DayKey | null {
  return keys.find((key) => key.valid_from_ms <= now_ms && now_ms < key.valid_until_ms) ?? null;
}

/** Returns the end of the last key (ms epoch, server time); null without keys. */
export function codesValidUntil(keys: readonly DayKey[]): number | null {
  return keys.length === 0 ? null : Math.max(...keys.map((key) => key.valid_until_ms));
}

/** Creates the signed code of the time step that contains `now_ms` (ms epoch, server time), as a link of `origin`. */
export async function createVenueCode(
  sport_center_id: string,
  { key_id, key }: DayKey,
  now_ms: number,
  origin: string,
  { sign }: KioskSigner = HMAC_SIGNER,
): Promise<SignedVenueCode> {
  const time_step = timeStepAt(now_ms, VENUE_TIME_STEP_MS);
  const body = encodeVenueCode({ sport_center_id, step: time_step, key_id });
  const mac = (await sign(key, body)).subarray(0, MAC_BYTES);
  return { url: qrUrl(origin, appendMac(body, mac)), time_step };
}
