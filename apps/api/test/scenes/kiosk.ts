import { createHmac, randomUUID } from 'node:crypto';
import type { KioskKey } from '@sendlap/contract/kiosks.ts';
import { toBase64Url } from '@sendlap/domain/bytes.ts';
import { appendMac, encodeVenueCode, MAC_BYTES, timeStepAt, VENUE_TIME_STEP_MS } from '@sendlap/domain/qr-code.ts';
import { expect } from 'vitest';
import type { TestApp } from '../app/app.ts';
import { inviteKiosk } from './invites.ts';

export interface PairedKiosk {
  token: string;
  headers: { authorization: string };
  center: { id: string; name: string; city: string | null; time_zone: string; sports: string[] };
  keys: KioskKey[];
}

/** Tries once, from an address of its own, so that other tests' attempts do not count towards the rate limit. */
export async function tryToPair(api: TestApp, code: string, headers: Record<string, string> = {}) {
  const octets = [...randomUUID().slice(0, 6)].map((digit) => digit.charCodeAt(0));
  const remoteAddress = `10.${octets
    .slice(0, 3)
    .map((octet) => octet % 250)
    .join('.')}`;
  const request = { method: 'POST', url: '/v1/kiosks/pair', headers, payload: { code }, remoteAddress } as const;
  const reply = await api.app.inject(request);
  return { status: reply.statusCode, ...reply.json() };
}

/** Pairs a tablet with the center, by a code of the operator. */
export async function pairKiosk(api: TestApp, center: string): Promise<PairedKiosk> {
  const { status, data } = await tryToPair(api, await inviteKiosk(api.database, center));
  expect(status).toBe(201);
  return { ...data, headers: { authorization: `Bearer ${data.token}` } };
}

/** The payload (base64url) that a kiosk shows at a moment; by default the one a correct kiosk shows. */
export function venueCodeAt(
  kiosk: Pick<PairedKiosk, 'center' | 'keys'>,
  at_ms: number,
  overrides: { sport_center_id?: string; key?: KioskKey } = {},
): string {
  const of_day = kiosk.keys.find((one) => Date.parse(one.valid_from) <= at_ms && at_ms < Date.parse(one.valid_until));
  const key = overrides.key ?? of_day;
  if (!key) throw new Error('this kiosk has no key of this day');
  const sport_center_id = overrides.sport_center_id ?? kiosk.center.id;
  const body = encodeVenueCode({ sport_center_id, step: timeStepAt(at_ms, VENUE_TIME_STEP_MS), key_id: key.key_id });
  const mac = createHmac('sha256', Buffer.from(key.key, 'base64url')).update(body).digest().subarray(0, MAC_BYTES);
  return toBase64Url(appendMac(body, mac));
}
