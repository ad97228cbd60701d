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

  return {
    addAll(records: readonly string[]): void {
      const [start = 0] = ends.slice(-1);
      let end = start;
      for (const record of records) {
        end += Buffer.byteLength(record);
        ends.push(end);
      }
      const chunk = Buffer.from(records.join(''));
      for (let done = 0; done < chunk.length; ) done += writeSync(file, chunk, done, chunk.length - done, start + done);
    },
    read(number: number): Buffer {
      const start = ends[number - 1] ?? 0;
      const length = (ends[number] ?? start) - start;
      const bytes = Buffer.allocUnsafe(length);
      // Uninitialised memory may hold parts of other requests.
      if (readSync(file, bytes, 0, length, start) !== length)
        throw new Error('The temporary file of centers was cut short');
      return bytes;
    },
    close: () => closeSync(file),
  };
}
