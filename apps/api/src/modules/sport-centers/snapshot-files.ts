import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { read } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { promisify } from 'node:util';
import type { NamedColumns } from '@sendlap/center-index/center-index.ts';
import type { Order } from '@sendlap/center-index/index-columns.ts';
import type { SnapshotData } from './read-snapshot.ts';
import { closeAside, createNamelessFile, type RecordPlaces } from './record-file.ts';

/** Descriptors of the two files in the process that fills them. */
export const RECORDS_FILE = 3;
export const COLUMNS_FILE = 4;

export interface Request {
  database_url: string;
}

/** What the other process says when the files are complete. */
export interface Described {
  version: string;
  left_out: string[];
  size: number;
  country_names: string[];
}

/** What it says when it cannot fill them. */
export interface Problem {
  message: string;
  code?: string | undefined;
  syscall?: string | undefined;
}

/** All of one snapshot but the records, which are in their file. */
export interface ReadSnapshot extends Pick<SnapshotData, 'version' | 'left_out'> {
  columns: NamedColumns;
  order: Order;
  /** By place. */
  records: RecordPlaces;
}

interface Reading extends Request {
  /** Takes the records. */
  records_file: number;
  is_waited_for: boolean;
  /** For a process that never answers: without it, no newer snapshot would ever be read. */
  deadline_ms?: number;
}

const DEADLINE_MS = 10 * 60_000;

/** All columns, in the order in which they stand in the file. */
export function arraysOf({
  columns: { ids },
  order: { tree, places, flags, countries, by_id },
  records: { starts, lengths },
}: Pick<ReadSnapshot, 'columns' | 'order' | 'records'>): ArrayBufferView<ArrayBuffer>[] {
  return [ids, new Uint8Array(tree), places, flags, countries, by_id, starts, lengths];
}

/**
 * Reads a snapshot in a process of its own: a million rows leave some 100 MB behind in whoever read them, and cost half a
 * minute of work, neither of which requests should feel. So it stands back where nobody waits for it.
 */
export async function readInProcess({
  database_url,
  records_file,
  is_waited_for,
  deadline_ms = DEADLINE_MS,
}: Reading): Promise<ReadSnapshot> {
  const columns_file = createNamelessFile();
  const child = fork(new URL('./snapshot-process.ts', import.meta.url), {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', records_file, columns_file, 'ipc'],
  });
  try {
    if (child.pid !== undefined && !is_waited_for) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    child.send({ database_url } satisfies Request);
    return await readColumns(columns_file, await answerOf(child, deadline_ms));
  } finally {
    child.kill('SIGKILL');
    closeAside(columns_file);
  }
}

/** Throws where the process has a problem, ends without an answer, or takes too long. */
async function answerOf(child: ChildProcess, deadline_ms: number): Promise<Described> {
  const ended = new AbortController();
  child.once('exit', () => ended.abort(new Error('the process that reads the sport centers ended too soon')));
  const late = () => ended.abort(new Error('the process that reads the sport centers took too long'));
  const deadline = setTimeout(late, deadline_ms);
  try {
    const [answer] = (await once(child, 'message', { signal: ended.signal })) as [Described | Problem];
    if ('message' in answer) throw Object.assign(new Error(answer.message), answer);
    return answer;
  } catch (error) {
    throw ended.signal.aborted ? ended.signal.reason : error;
  } finally {
    clearTimeout(deadline);
  }
}

const readAt = promisify(read);
/** As kdbush lays it out: a header, the numbers of 2 or 4 bytes filled up to 8, two 64-bit floats each. */
const TREE_HEADER_BYTES = 8;

async function readColumns(file: number, { version, left_out, size, country_names }: Described): Promise<ReadSnapshot> {
  const numbers_bytes = Math.ceil((size * (size < 65_536 ? 2 : 4)) / 8) * 8;
  const result: ReadSnapshot = {
    version,
    left_out,
    columns: { country_names, ids: new Uint32Array(size * 4) },
    order: {
      tree: new ArrayBuffer(TREE_HEADER_BYTES + numbers_bytes + size * 16),
      places: new Uint32Array(size),
      flags: new Uint8Array(size),
      countries: new Uint16Array(size),
      by_id: new Uint32Array(size),
    },
    records: { starts: new Float64Array(size), lengths: new Uint32Array(size) },
  };
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of arraysOf(result)) {
    for (let done = 0; done < byteLength; ) {
      const bytes = new Uint8Array(buffer, byteOffset, byteLength);
      const { bytesRead } = await readAt(file, bytes, done, byteLength - done, at + done);
      if (bytesRead === 0) throw new Error('the columns of the sport centers were cut short');
      done += bytesRead;
    }
    at += byteLength;
  }
  return result;
}
