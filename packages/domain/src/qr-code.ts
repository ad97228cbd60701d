import { ByteReader, type Bytes, ByteWriter, fromBase64Url, toBase64Url, truncateUtf8 } from './bytes.ts';
import { bytesToUuid, isUuidV4, uuidToBytes } from './ids.ts';
import { isPublicId } from './public-id.ts';
import { isPauseWithin, type TimedActivity } from './scoring.ts';
import { SPORT_LIST } from './sports/sport-list.ts';
import type { Intensity } from './sports/sport-record.ts';
import { canHaveDistance, type Sport } from './sports.ts';

/** How long one activity code is shown. */
export const ACTIVITY_TIME_STEP_MS = 30_000;
/** How long one kiosk code is shown. */
export const VENUE_TIME_STEP_MS = 15_000;
/** A code carries the first 16 bytes of its HMAC-SHA-256. */
export const MAC_BYTES = 16;
/** A display name inside a code is cut to this many bytes of UTF-8. */
export const DISPLAY_NAME_MAX_BYTES = 24;

const CODE_VERSION = 1;
/**
 * The version of an activity's code that ends with its pauses. A reader that does not know pauses refuses it, so that it
 * never takes a pause for active time; an activity without a pause keeps the code that every reader knows.
 */
const PAUSED_CODE_VERSION = 2;
const KIND = { activity: 1, venue: 2, friend: 3, invite: 4 } as const;
const SPORT_BYTES = SPORT_LIST.map(({ name, code_number }): [Sport, number] => [name, code_number]);
const INTENSITY_BYTES: readonly [Intensity | null, number][] = [
  [null, 0],
  ['easy', 1],
  ['moderate', 2],
  ['hard', 3],
];
const NO_DISTANCE = 0xffff_ffff;
const UUID_BYTES = 16;
const CONTROL_CHARACTERS = /\p{Cc}/gu;
const INVITE_SECRET = /^[A-Za-z0-9_-]{8,64}$/;
/** The screen that scans. */
export const SCAN_PATH = '/qr/scan';
const SCAN_URL = new RegExp(`^(?:https?://[^/?#\\s]+${SCAN_PATH}/?#)?([A-Za-z0-9_-]+)$`);
// The longest code has 144 bytes, 192 characters; the rest is for any host name.
const MAX_TEXT_LENGTH = 1024;
const DIGITS = 8;

/** The content of an athlete's code about a finished activity. The server scores this, never its own row. */
export interface ActivityCode extends TimedActivity {
  /** UUID v4, the activity's client_id */
  activity_id: string;
  public_id: string;
  /** At most 24 bytes of UTF-8, without control characters. */
  display_name: string;
  sport_center_id: string;
  sport_type: Sport;
  /** By the athlete's clock; whole seconds are kept. */
  started_at: number;
  /** By the athlete's clock; whole seconds are kept. */
  ended_at: number;
  intensity: Intensity | null;
  /** Whole metres. */
  distance_m: number | null;
  /** `timeStepAt(athlete's clock, ACTIVITY_TIME_STEP_MS)` */
  step: number;
  /** The device key of the MAC. */
  key_id: string;
}

/** The content of a kiosk's code. */
export interface VenueCode {
  sport_center_id: string;
  /** `timeStepAt(kiosk's clock, VENUE_TIME_STEP_MS)` */
  step: number;
  key_id: string;
}

/** The MAC covers `body`; the holder of the key still has to verify `mac`. */
export type QrCode =
  | { kind: 'activity'; code: ActivityCode; body: Bytes; mac: Bytes }
  | { kind: 'venue'; code: VenueCode; body: Bytes; mac: Bytes }
  | { kind: 'friend'; public_id: string }
  | { kind: 'invite'; secret: string };

/** Returns the number of the time step of a moment (ms epoch). */
export function timeStepAt(epoch_ms: number, step_ms: number): number {
  return Math.floor(epoch_ms / step_ms);
}

function toByte<Value>(pairs: readonly [Value, number][], value: Value): number {
  const pair = pairs.find(([name]) => name === value);
  if (!pair) throw new RangeError('a value that a code cannot hold');
  return pair[1];
}

function fromByte<Value>(pairs: readonly [Value, number][], byte: number): Value | undefined {
  return pairs.find(([, number]) => number === byte)?.[0];
}

function writeHeader(kind: keyof typeof KIND, version = CODE_VERSION): ByteWriter {
  return new ByteWriter().u8(version).u8(KIND[kind]);
}

/**
 * Returns the bytes that the MAC covers. Throws RangeError for ids, times, pauses or distances that a code cannot hold.
 */
export function encodeActivityCode(code: ActivityCode): Bytes {
  if (!isUuidV4(code.activity_id)) throw new RangeError('an activity id is a UUID v4');
  if (!isPublicId(code.public_id)) throw new RangeError('not a public id');
  if (!canHaveDistance(code.sport_type, code.distance_m)) throw new RangeError('not a distance of this sport');
  const has_pause = code.paused_s !== 0;
  if (has_pause && !isPauseWithin(wholeSecondsOf(code))) throw new RangeError('not a pause of this activity');
  const name = code.display_name.replaceAll(CONTROL_CHARACTERS, '');
  const writer = writeHeader('activity', has_pause ? PAUSED_CODE_VERSION : CODE_VERSION)
    .bytes(uuidToBytes(code.activity_id))
    .text(code.public_id)
    .text(truncateUtf8(name.trim(), DISPLAY_NAME_MAX_BYTES).trimEnd())
    .bytes(uuidToBytes(code.sport_center_id))
    .u8(toByte(SPORT_BYTES, code.sport_type))
    .u32(Math.floor(code.started_at / 1000))
    .u32(Math.floor(code.ended_at / 1000))
    .u8(toByte(INTENSITY_BYTES, code.intensity))
    .u32(code.distance_m === null ? NO_DISTANCE : Math.floor(code.distance_m))
    .u32(code.step)
    .bytes(uuidToBytes(code.key_id));
  return (has_pause ? writer.u32(code.paused_s) : writer).toBytes();
}

function wholeSecondsOf({ started_at, ended_at, paused_s }: TimedActivity): TimedActivity {
  const toWholeSeconds = (epoch_ms: number) => Math.floor(epoch_ms / 1000) * 1000;
  return { started_at: toWholeSeconds(started_at), ended_at: toWholeSeconds(ended_at), paused_s };
}

/** Returns the bytes that the MAC of a kiosk's code covers. */
export function encodeVenueCode(code: VenueCode): Bytes {
  return writeHeader('venue')
    .bytes(uuidToBytes(code.sport_center_id))
    .u32(code.step)
    .bytes(uuidToBytes(code.key_id))
    .toBytes();
}

/** Returns the whole friend code of an athlete; it contains no secret and no MAC. */
export function encodeFriendCode(public_id: string): Bytes {
  if (!isPublicId(public_id)) throw new RangeError('not a public id');
  return writeHeader('friend').text(public_id).toBytes();
}

/** Returns the whole code of a one-time invite; the secret has 8 to 64 characters of base64url. */
export function encodeInviteCode(secret: string): Bytes {
  if (!INVITE_SECRET.test(secret)) throw new RangeError('not an invite secret');
  return writeHeader('invite').text(secret).toBytes();
}

/** Returns body and MAC combined. Throws RangeError unless `mac` is 16 bytes, the first ones of the HMAC. */
export function appendMac(body: Uint8Array, mac: Uint8Array): Bytes {
  if (mac.length !== MAC_BYTES) throw new RangeError('a MAC has 16 bytes');
  return new ByteWriter().bytes(body).bytes(mac).toBytes();
}

/** Returns the content of a code, or null for bytes that no encoder here could have made. Never throws. */
export function decodeCode(bytes: Uint8Array): QrCode | null {
  const has_pause = bytes[0] === PAUSED_CODE_VERSION && bytes[1] === KIND.activity;
  if (bytes[0] !== CODE_VERSION && !has_pause) return null;
  if (bytes[1] === KIND.friend || bytes[1] === KIND.invite) return decodeUnsignedCode(bytes);
  if (bytes.length <= MAC_BYTES) return null;
  const body = new Uint8Array(bytes.subarray(0, -MAC_BYTES));
  const mac = new Uint8Array(bytes.subarray(-MAC_BYTES));
  if (bytes[1] === KIND.activity) {
    const code = decodeActivityCode(body, has_pause);
    return code && { kind: 'activity', code, body, mac };
  }
  if (bytes[1] === KIND.venue) {
    const code = decodeVenueCode(body);
    return code && { kind: 'venue', code, body, mac };
  }
  return null;
}

function decodeUnsignedCode(bytes: Uint8Array): QrCode | null {
  const reader = new ByteReader(bytes.subarray(2));
  const text = reader.text();
  if (!reader.isComplete()) return null;
  if (bytes[1] === KIND.friend) return isPublicId(text) ? { kind: 'friend', public_id: text } : null;
  return INVITE_SECRET.test(text) ? { kind: 'invite', secret: text } : null;
}

function decodeVenueCode(body: Uint8Array): VenueCode | null {
  const reader = new ByteReader(body.subarray(2));
  const sport_center_id = bytesToUuid(reader.bytes(UUID_BYTES));
  const step = reader.u32();
  const key_id = bytesToUuid(reader.bytes(UUID_BYTES));
  return reader.isComplete() ? { sport_center_id, step, key_id } : null;
}

function decodeActivityCode(body: Uint8Array, has_pause: boolean): ActivityCode | null {
  const reader = new ByteReader(body.subarray(2));
  const activity_id = bytesToUuid(reader.bytes(UUID_BYTES));
  const public_id = reader.text();
  const display_name = reader.text();
  const sport_center_id = bytesToUuid(reader.bytes(UUID_BYTES));
  const sport_type = fromByte(SPORT_BYTES, reader.u8());
  const started_at = reader.u32() * 1000;
  const ended_at = reader.u32() * 1000;
  const intensity = fromByte(INTENSITY_BYTES, reader.u8());
  const distance = reader.u32();
  const step = reader.u32();
  const key_id = bytesToUuid(reader.bytes(UUID_BYTES));
  const paused_s = has_pause ? reader.u32() : 0;
  if (!reader.isComplete() || sport_type === undefined || intensity === undefined) return null;
  // Without a pause it would have been written in the other version.
  if (has_pause && (paused_s === 0 || !isPauseWithin({ started_at, ended_at, paused_s }))) return null;
  if (!isUuidV4(activity_id) || !isPublicId(public_id) || !isValidDisplayName(display_name)) return null;
  const distance_m = distance === NO_DISTANCE ? null : distance;
  if (!canHaveDistance(sport_type, distance_m)) return null;
  const times = { started_at, ended_at, paused_s, step };
  return { activity_id, public_id, display_name, sport_center_id, sport_type, intensity, distance_m, key_id, ...times };
}

function isValidDisplayName(name: string): boolean {
  return truncateUtf8(name, DISPLAY_NAME_MAX_BYTES) === name && name.search(CONTROL_CHARACTERS) === -1;
}

/** Returns the 8 digits to type instead of scanning: the whole 32-byte HMAC as one big-endian number, modulo 10^8. */
export function toDigits(mac32: Uint8Array): string {
  let remainder = 0;
  for (const byte of mac32) remainder = (remainder * 256 + byte) % 10 ** DIGITS;
  return String(remainder).padStart(DIGITS, '0');
}

/** Returns the link in a QR code. The payload is in the fragment, so that no server log contains it. */
export function qrUrl(origin: string, bytes: Uint8Array): string {
  return `${origin}${SCAN_PATH}#${toBase64Url(bytes)}`;
}

/** Returns the bytes of a scanned or pasted text: a link of any origin to SCAN_PATH, or the bare payload; else null. */
export function parseQrUrl(text: string): Bytes | null {
  if (text.length > MAX_TEXT_LENGTH) return null;
  const payload = SCAN_URL.exec(text.trim())?.[1];
  return payload === undefined ? null : fromBase64Url(payload);
}
