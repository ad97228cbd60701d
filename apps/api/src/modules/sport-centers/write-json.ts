import { ENVELOPE_HEAD, ENVELOPE_TAIL, RawJson } from '#api/platform/raw-json.ts';
import type { RecordFile } from './record-file.ts';

/** A record with what the reply adds to it. */
export interface Item {
  number: number;
  added?: { distance_km: number | null; activity_count?: number };
}

/**
 * A reply with a list of records between two other texts (ASCII), put together in one buffer without looking into the
 * records.
 */
export function writeList<Data>(records: RecordFile, items: readonly Item[], before = '[', after = ']'): RawJson<Data> {
  const head = ENVELOPE_HEAD + before;
  const tail = after + ENVELOPE_TAIL;
  let length = head.length + tail.length;
  const ends = items.map(({ number, added }, at) => {
    const end = `${added ? `,${JSON.stringify(added).slice(1)}` : '}'}${at === items.length - 1 ? '' : ','}`;
    length += records.lengthOf(number) + end.length;
    return end;
  });
  const bytes = Buffer.allocUnsafe(length);
  const { bytes: read, ats } = records.readAll(items.map(({ number }) => number));
  let size = bytes.write(head, 'latin1');
  for (const [at, { number }] of items.entries()) {
    // Each record ends with a brace, in whose place its end goes on.
    const from = ats[at] ?? 0;
    size += read.copy(bytes, size, from, from + records.lengthOf(number) - 1);
    size += bytes.write(ends[at] ?? '', size, 'latin1');
  }
  size += bytes.write(tail, size, 'latin1');
  return new RawJson(bytes.subarray(0, size));
}
