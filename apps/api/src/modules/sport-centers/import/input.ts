import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { ImportError } from './types.ts';

export type Encoding = 'utf-8' | 'latin1';

/** Something that can be read from its beginning as often as it takes. `bytes` is how much there is, for the progress. */
export type Input = { bytes: number; open(encoding?: Encoding): AsyncIterable<TextPiece> };

/** A piece of text, and how many bytes of the input were read when it came. */
export type TextPiece = { text: string; bytes_read: number };

const CHUNK_BYTES = 1024 * 256;

/** A file as input; its text is decoded on the way, a byte order mark dropped. @throws ImportError `unreadable` */
export async function openFile(path: string): Promise<Input> {
  const found = await stat(path).catch(unreadable);
  if (found.isDirectory()) throw new ImportError('unreadable', "the file can't be read: it is a folder");
  if (!found.isFile()) {
    const reason = 'it is a pipe or a device, but has to be read more than once: make a file of it first';
    throw new ImportError('unreadable', `the file can't be read: ${reason}`);
  }
  return { bytes: found.size, open: (encoding = 'utf-8') => readFile(path, encoding) };
}

/** A text as input. */
export function textInput(text: string): Input {
  const bytes = Buffer.byteLength(text);
  return {
    bytes,
    async *open() {
      yield { text: text.charCodeAt(0) === 0xfeff ? text.slice(1) : text, bytes_read: bytes };
    },
  };
}

async function* readFile(path: string, encoding: Encoding): AsyncGenerator<TextPiece> {
  // What is no text of this encoding would come out as question marks, and stay in names for good.
  const decoder = new TextDecoder(encoding, { fatal: true });
  let bytes_read = 0;
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
      bytes_read += chunk.length;
      yield { text: decoder.decode(chunk, { stream: true }), bytes_read };
    }
    yield { text: decoder.decode(), bytes_read };
  } catch (error) {
    // Errors of whoever consumes this are not thrown in here.
    if (error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      throw await otherEncoding(path);
    }
    unreadable(error);
  }
}

/** Every byte means something in latin1. The file is read once more for the line. */
async function otherEncoding(path: string): Promise<ImportError> {
  const line = await findLineOfOtherEncoding(path);
  const advice = 'save it as UTF-8, or name the encoding of a table in its mapping file';
  return new ImportError('unreadable', `line ${line}: this is not UTF-8 text: ${advice}`, line);
}

async function findLineOfOtherEncoding(path: string): Promise<number> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    for (let from = 0; from < chunk.length; ) {
      const end = chunk.indexOf('\n', from) + 1 || chunk.length;
      try {
        decoder.decode(chunk.subarray(from, end), { stream: true });
      } catch {
        return line;
      }
      if (chunk[end - 1] === 0x0a) line += 1;
      from = end;
    }
  }
  return line;
}

function unreadable(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw new ImportError('unreadable', `the file can't be read: ${reason}`);
}
