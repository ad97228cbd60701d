import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type RecordFile = ReturnType<typeof createRecordFile>;

/**
 * The centers as JSON in UTF-8, by number, in an unlinked temporary file, which the system deletes with the process:
 * 300,000 centers are 220 MB of JSON, more than the whole server may take. Reads come from the system's page cache.
 */
export function createRecordFile() {
  const path = join(tmpdir(), `sendlap-centers-${randomUUID()}`);
  const file = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  /** Where each record ends. */
  const ends: number[] = [];
  /** Used for every write: a new one each would stay resident until its collection, 220 MB of them in all. */
  let chunk = Buffer.alloc(0);

  const startOf = (number: number): number => (number === 0 ? 0 : (ends[number - 1] ?? 0));
  const lengthOf = (number: number): number => (ends[number] ?? 0) - startOf(number);

  /** Returns the number of bytes read. */
  function readInto(bytes: Buffer, at: number, number: number): number {
    const length = lengthOf(number) - 1;
    // Uninitialised memory may hold parts of other requests.
    if (readSync(file, bytes, at, length, startOf(number)) !== length)
      throw new Error('The temporary file of centers was cut short');
    return length;
  }

  return {
    addAll(records: readonly string[]): void {
      const [start = 0] = ends.slice(-1);
      let end = start;
      for (const record of records) {
        end += Buffer.byteLength(record);
        ends.push(end);
      }
      const size = end - start;
      if (chunk.length < size) chunk = Buffer.allocUnsafeSlow(2 * size);
      let filled = 0;
      for (const record of records) filled += chunk.write(record, filled);
      for (let done = 0; done < size; ) done += writeSync(file, chunk, done, size - done, start + done);
    },
    /** Returns texts and records in turn as one buffer; a number means that record without its closing bracket. */
    join(parts: readonly (string | number)[]): Buffer {
      let size = 0;
      for (const part of parts) size += typeof part === 'number' ? lengthOf(part) - 1 : Buffer.byteLength(part);
      const bytes = Buffer.allocUnsafe(size);
      let at = 0;
      for (const part of parts) at += typeof part === 'number' ? readInto(bytes, at, part) : bytes.write(part, at);
      return bytes;
    },
    close: () => closeSync(file),
  };
}
