import { ENVELOPE_HEAD, ENVELOPE_TAIL, RawJson } from '#api/platform/raw-json.ts';
import type { RecordFile } from './record-file.ts';

/** A record by its place, with what the reply adds to it. */
export interface Item {
  place: number;
  distance_km?: number | null;
  activity_count?: number;
}

/**
 * A reply with a list of records between two other texts (ASCII), put together in one buffer without looking into the
 * records.
 */
export function writeList<Data>(records: RecordFile, items: readonly Item[], before = '[', after = ']'): RawJson<Data> {
  const head = ENVELOPE_HEAD + before;
  const tail = after + ENVELOPE_TAIL;
  const ends: string[] = [];
  let length = head.length + tail.length;
  for (const item of items) {
    const end = ends.length === items.length - 1 ? endOf(item) : `${endOf(item)},`;
    ends.push(end);
    // Each record ends with a brace, in whose place its end goes on.
    length += records.lengthOf(item.place) - 1 + end.length;
  }
  const bytes = Buffer.allocUnsafe(length);
  const { bytes: read, ats } = records.readAll(items.map(({ place }) => place));
  let size = bytes.write(head, 'latin1');
  for (let at = 0; at < items.length; at += 1) {
    const from = ats[at] ?? 0;
    size += read.copy(bytes, size, from, from + records.lengthOf(items[at]?.place ?? 0) - 1);
    size += bytes.write(ends[at] ?? '', size, 'latin1');
  }
  bytes.write(tail, size, 'latin1');
  return new RawJson(bytes);
}

function endOf({ distance_km, activity_count }: Item): string {
  const distance = distance_km === undefined ? '' : `,"distance_km":${distance_km}`;
  return activity_count === undefined ? `${distance}}` : `${distance},"activity_count":${activity_count}}`;
}
