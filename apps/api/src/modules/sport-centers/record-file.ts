import { randomUUID } from 'node:crypto';
import { close, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CHUNK_BYTES = 256 * 1024;
/** Reading what is between two records costs less than another call of the system. */
const GAP_BYTES = 8 * 1024;

/** Where each record is in the file, by whatever number the records have. */
export interface RecordPlaces {
  starts: Float64Array<ArrayBuffer>;
  lengths: Uint32Array<ArrayBuffer>;
}

/** Bytes of several records, which the next call overwrites; `ats` says where each begins. */
export interface ReadRecords {
  bytes: Buffer;
  ats: number[];
}

/**
 * Texts by number in a file without a name: a million serialised centers are some 700 MB, which the system keeps in its
 * page cache as long as it has room, and the process need not. Reads take microseconds and wait for nobody.
 */
export interface RecordFile {
  /** Length in bytes. */
  lengthOf(number: number): number;
  /** What lies close together in the file is read at once. */
  readAll(numbers: readonly number[]): ReadRecords;
  read(number: number): string;
  close(): void;
}

/** Takes the records, at most as many as it was made for, and puts them one after the other. */
export interface RecordWriter {
  add(number: number, record: Uint8Array): void;
  /** The places of the numbers below `size`. */
  finish(size: number): RecordPlaces;
}

/** A file that goes with the process, however it ends. Returns its descriptor, which threads share. */
export function createNamelessFile(): number {
  const path = join(tmpdir(), `sendlap-centers-${randomUUID()}`);
  const file = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  return file;
}

/** In another thread: with the last descriptor the system gives back all of the file, which takes long for a large one. */
export function closeAside(file: number): void {
  // There is nothing to do about a failure: the descriptor is gone either way.
  close(file, () => {});
}

export function writeRecords(file: number, count: number): RecordWriter {
  const starts = new Float64Array(count);
  const lengths = new Uint32Array(count);
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let written = 0;
  let filled = 0;

  function write(bytes: Uint8Array): void {
    writeAll(file, bytes, written);
    written += bytes.length;
  }
  function flush(): void {
    write(chunk.subarray(0, filled));
    filled = 0;
  }

  return {
    add(number, record) {
      if (filled + record.length > CHUNK_BYTES) flush();
      starts[number] = written + filled;
      lengths[number] = record.length;
      if (record.length > CHUNK_BYTES) return write(record);
      chunk.set(record, filled);
      filled += record.length;
    },
    finish(size) {
      flush();
      return size === count ? { starts, lengths } : { starts: starts.slice(0, size), lengths: lengths.slice(0, size) };
    },
  };
}

/** Copies the records into another file in the order of these numbers, which are all there are; they are numbered anew. */
export function copyRecords(from: number, places: RecordPlaces, to: number, numbers: ArrayLike<number>): RecordPlaces {
  const source = openRecords(from, places);
  const writer = writeRecords(to, numbers.length);
  for (let at = 0; at < numbers.length; at += 1) {
    const number = numbers[at] ?? 0;
    writer.add(at, source.readAll([number]).bytes.subarray(0, source.lengthOf(number)));
  }
  return writer.finish(numbers.length);
}

/** The same records where they are, numbered anew in the order of these numbers. */
export function renumberRecords({ starts, lengths }: RecordPlaces, numbers: ArrayLike<number>): RecordPlaces {
  const renumbered: RecordPlaces = {
    starts: new Float64Array(starts.length),
    lengths: new Uint32Array(lengths.length),
  };
  for (let at = 0; at < numbers.length; at += 1) {
    const number = numbers[at] ?? 0;
    renumbered.starts[at] = starts[number] ?? 0;
    renumbered.lengths[at] = lengths[number] ?? 0;
  }
  return renumbered;
}

function writeAll(file: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, at + done);
}

/** The records that were written to the file. */
export function openRecords(file: number, { starts, lengths }: RecordPlaces): RecordFile {
  let bytes = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  const startOf = (number: number) => starts[number] ?? 0;
  const lengthOf = (number: number) => lengths[number] ?? 0;

  function readPart(start: number, length: number, at: number): void {
    if (at + length > bytes.length) bytes = Buffer.concat([bytes], 2 * (at + length));
    if (readSync(file, bytes, at, length, start) !== length) {
      throw new Error('the records of the sport centers were cut short');
    }
  }

  function readAll(numbers: readonly number[]): ReadRecords {
    const ats = new Array<number>(numbers.length);
    const sorted = sortItems(numbers, startOf);
    let filled = 0;
    let from = startOf(numbers[sorted[0] ?? 0] ?? 0);
    let to = from;
    for (const item of sorted) {
      const number = numbers[item] ?? 0;
      const start = startOf(number);
      if (start > to + GAP_BYTES) {
        readPart(from, to - from, filled);
        filled += to - from;
        from = start;
      }
      ats[item] = filled + start - from;
      to = start + lengthOf(number);
    }
    readPart(from, to - from, filled);
    return { bytes, ats };
  }

  return {
    lengthOf,
    readAll,
    read: (number) => readAll([number]).bytes.toString('utf8', 0, lengthOf(number)),
    close: () => closeAside(file),
  };
}

/** Where the numbers stand in their list, in the order of their starts. By insertion: few, and nearly in order. */
function sortItems(numbers: readonly number[], startOf: (number: number) => number): number[] {
  const sorted: number[] = [];
  for (let item = 0; item < numbers.length; item += 1) {
    const start = startOf(numbers[item] ?? 0);
    let at = item;
    for (; at > 0 && startOf(numbers[sorted[at - 1] ?? 0] ?? 0) > start; at -= 1) sorted[at] = sorted[at - 1] ?? 0;
    sorted[at] = item;
  }
  return sorted;
}
