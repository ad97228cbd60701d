import { ENVELOPE_HEAD, ENVELOPE_TAIL, RawJson } from '#api/platform/raw-json.ts';
import type { RecordFile } from './record-file.ts';

/** A record by its place, with what the reply adds to it. */
export interface Item {
  place: number;
  distance_km?: number | null;
  activity_count?: number;
}

const COMMA = 44;
const BRACE = 125;
const DISTANCE = ',"distance_km":';
const ACTIVITIES = ',"activity_count":';
/** Room for what a reply adds to a record: no number takes more than 24 characters. */
const ADDED_BYTES = DISTANCE.length + ACTIVITIES.length + 2 * 24 + 1;

/**
 * A reply with a list of records between two other texts (ASCII), put together in one buffer without looking into the
 * records.
 */
export function writeList<Data>(records: RecordFile, items: readonly Item[], before = '[', after = ']'): RawJson<Data> {
  const head = ENVELOPE_HEAD + before;
  const tail = after + ENVELOPE_TAIL;
  const places = items.map(({ place }) => place);
  let room = head.length + tail.length;
  for (const place of places) room += records.lengthOf(place) + ADDED_BYTES;
  const { bytes: read, ats } = records.readAll(places);
  const bytes = Buffer.allocUnsafe(room);
  let size = bytes.write(head, 'latin1');
  for (let at = 0; at < items.length; at += 1) {
    if (at > 0) bytes[size++] = COMMA;
    const from = ats[at] ?? 0;
    // Each record ends with a brace, in whose place it goes on.
    size += read.copy(bytes, size, from, from + records.lengthOf(places[at] ?? 0) - 1);
    const { distance_km, activity_count } = items[at] ?? {};
    if (distance_km !== undefined) size = writeField(bytes, size, DISTANCE, distance_km);
    if (activity_count !== undefined) size = writeField(bytes, size, ACTIVITIES, activity_count);
    bytes[size++] = BRACE;
  }
  size += bytes.write(tail, size, 'latin1');
  return new RawJson(bytes.subarray(0, size));
}

function writeField(bytes: Buffer, at: number, key: string, value: number | null): number {
  return writeAscii(bytes, writeAscii(bytes, at, key), String(value));
}

/** For a few characters: a call into the engine costs more than they do. */
function writeAscii(bytes: Buffer, at: number, text: string): number {
  for (let index = 0; index < text.length; index += 1) bytes[at + index] = text.charCodeAt(index);
  return at + text.length;
}
