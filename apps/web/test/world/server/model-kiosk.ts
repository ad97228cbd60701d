import type { getKioskBoard } from '@sendlap/contract/kiosks.ts';
import { fromBase64Url, toBase64Url } from '@sendlap/domain/bytes.ts';
import { appendMac, decodeCode, MAC_BYTES, timeStepAt, VENUE_TIME_STEP_MS } from '@sendlap/domain/qr-code.ts';
import type * as z from 'zod/mini';
import { Refusal } from './model-sessions.ts';

export type BoardItem = z.infer<typeof getKioskBoard.data>['items'][number];

/** The one-time code that pairs the tablet. */
export const PAIRING_CODE = 'abcd-efgh-jkmn';
export const CENTER = '00000000-0000-4000-8000-00000000cccc';

const TOKEN = 'kiosk_1';
const DAY_MS = 86_400_000;
const KEY_DAYS = 8;
const KEY_BYTES = 32;
/** A code of the step before or after is accepted too. */
const MAX_STEPS_OFF = 1;
const CENTER_FACTS = { id: CENTER, name: 'Pool', city: null, time_zone: 'UTC', sports: ['swimming'] };

/** A model of the HMAC: a wrong key does not match by accident, and the result needs no thread of Web Crypto. */
export function signAsModel(key: Uint8Array, body: Uint8Array): Uint8Array {
  return Uint8Array.from({ length: MAC_BYTES }, (_, at) =>
    [...key, ...body].reduce((sum, byte) => (Math.imul(sum ^ byte, 16_777_619) >>> 0) % 65_521, at + 1),
  );
}

const keyOf = (day: number) => new Uint8Array(KEY_BYTES).fill(day % 251);
const idOf = (day: number) => `00000000-0000-4000-8000-${String(day).padStart(12, '0')}`;

/** A center's kiosk as the contract has it: one tablet, keys of days, and codes that count for some seconds. */
export function createModelKiosk(now: () => number, listBoard: () => BoardItem[]) {
  /** Of the request that used the code up. */
  let pairing_key: string | null = null;

  function keysFromToday() {
    const today = Math.floor(now() / DAY_MS);
    const iso = (day: number) => new Date(day * DAY_MS).toISOString();
    const keys = Array.from({ length: KEY_DAYS }, (_, index) => today + index).map((day) => ({
      key_id: idOf(day),
      key: toBase64Url(keyOf(day)),
      valid_from: iso(day),
      valid_until: iso(day + 1),
    }));
    return { center: CENTER_FACTS, now: new Date(now()).toISOString(), keys };
  }

  function authenticate(bearer: string): void {
    if (bearer !== TOKEN || pairing_key === null) throw new Refusal('kiosk_unknown');
  }

  return {
    pair(code: string, idempotency_key: string) {
      if (code !== PAIRING_CODE || (pairing_key ?? idempotency_key) !== idempotency_key)
        throw new Refusal('invite_invalid');
      pairing_key = idempotency_key;
      return { token: TOKEN, ...keysFromToday() };
    },

    listKeys(bearer: string) {
      authenticate(bearer);
      return keysFromToday();
    },

    getBoard(bearer: string) {
      authenticate(bearer);
      const week = { key: '2026-W47', starts_on: '2026-11-16', ends_on: '2026-11-22' };
      const items = listBoard();
      return { ...week, total: items.length, items, now: new Date(now()).toISOString() };
    },

    /** Returns whether the code (base64url) counts as received now. */
    accepts(payload: string): boolean {
      const read = decodeCode(fromBase64Url(payload) ?? new Uint8Array());
      if (read?.kind !== 'venue' || read.code.sport_center_id !== CENTER) return false;
      const { step, key_id } = read.code;
      const day = Math.floor((step * VENUE_TIME_STEP_MS) / DAY_MS);
      const signed = toBase64Url(appendMac(read.body, signAsModel(keyOf(day), read.body)));
      if (signed !== payload || key_id !== idOf(day)) return false;
      return Math.abs(timeStepAt(now(), VENUE_TIME_STEP_MS) - step) <= MAX_STEPS_OFF;
    },
  };
}

export type ModelKiosk = ReturnType<typeof createModelKiosk>;
