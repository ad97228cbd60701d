import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { ImportError } from './types.ts';

export type Encoding = 'utf-8' | 'latin1';
/** One text of a sequence, its first line (from 1), and the bytes of the file read so far. */
type SequenceText = { text: string; line: number; bytes_read: number };

/** Parsing a larger text would take gigabytes. */
const MAX_FILE_MB = 200;
const MAX_SEQUENCE_TEXT_MB = 16;
const RECORD_SEPARATOR = 0x1e;
const NEWLINE = 0x0a;

/** @throws ImportError `unreadable` */
export async function openFile(path: string): Promise<Blob> {
  const found = await stat(path).catch(throwUnreadable);
  if (found.isDirectory()) throwUnreadable('it is a folder');
  if (!found.isFile()) throwUnreadable('it is a pipe or a device: make a file of it first');
  return openAsBlob(path).catch(throwUnreadable);
}

/**
 * Returns a file as text without its byte order mark. @throws ImportError `unreadable`, with the line of ill-formed
 * text
 */
export async function readText(file: Blob, encoding: Encoding = 'utf-8'): Promise<string> {
  if (file.size > MAX_FILE_MB * 1e6) {
    throwUnreadable(
      `it has more than ${MAX_FILE_MB} MB. Only GeoJSON text sequences (RFC 8142, or one feature a line) may be larger: ` +
        'ogr2ogr writes one with -f GeoJSONSeq, osmium export with -f geojsonseq, jq with -c ".features[]"',
    );
  }
  return decode(await file.bytes().catch(throwUnreadable), encoding);
}

/** Splits a GeoJSON text sequence at its record separators, or at line ends if it has none. */
export async function* readSequence(file: Blob): AsyncGenerator<SequenceText> {
  const isMarked = (await file.slice(0, 1).bytes().catch(throwUnreadable))[0] === RECORD_SEPARATOR;
  const separator = isMarked ? RECORD_SEPARATOR : NEWLINE;
  let [rest, line, bytes_read] = [Buffer.alloc(0), 1, 0];
  const take = (bytes: Uint8Array): SequenceText => {
    const text = decode(bytes, 'utf-8', line);
    const taken = { text: text.trim(), line, bytes_read };
    line += isMarked ? text.split('\n').length - 1 : 1;
    return taken;
  };
  for await (const chunk of readChunks(file)) {
    bytes_read += chunk.length;
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(separator); end !== -1; end = rest.indexOf(separator)) {
      yield take(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
    }
    if (rest.length > MAX_SEQUENCE_TEXT_MB * 1e6) {
      throw new ImportError('not_json', `line ${line}: it has more than ${MAX_SEQUENCE_TEXT_MB} MB`, line);
    }
  }
  yield take(rest);
}

/** Whether a file starts with a record separator, or its first line is a complete text followed by others. */
export async function isSequence(file: Blob, isText: (line: string) => boolean): Promise<boolean> {
  const head = (
    await file
      .slice(0, MAX_SEQUENCE_TEXT_MB * 1e6)
      .text()
      .catch(throwUnreadable)
  ).trimStart();
  const end = head.indexOf('\n');
  if (head.charCodeAt(0) === RECORD_SEPARATOR) return true;
  return end !== -1 && head.slice(end).trim() !== '' && isText(head.slice(0, end));
}

async function* readChunks(file: Blob): AsyncGenerator<Uint8Array> {
  try {
    yield* file.stream();
  } catch (error) {
    throwUnreadable(error);
  }
}

/** Ill-formed text would turn into question marks and stay in names permanently. */
function decode(bytes: Uint8Array, encoding: Encoding, first_line = 1): string {
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    return decoder.decode(bytes);
  } catch {
    const line = first_line + countLinesBeforeFault(bytes);
    const advice = 'save it as UTF-8, or name the encoding of a table in its mapping file';
    throw new ImportError('unreadable', `line ${line}: this is not UTF-8 text: ${advice}`, line);
  }
}

function countLinesBeforeFault(bytes: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let lines = 0;
  try {
    for (let from = 0; from < bytes.length; lines += 1) {
      const end = bytes.indexOf(NEWLINE, from) + 1 || bytes.length;
      decoder.decode(bytes.subarray(from, end));
      from = end;
    }
  } catch {}
  return lines;
}

function throwUnreadable(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw new ImportError('unreadable', `the file can't be read: ${reason}`);
}
