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
  const decoder = new TextDecoder(encoding);
  let bytes_read = 0;
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
      bytes_read += chunk.length;
      yield { text: decoder.decode(chunk, { stream: true }), bytes_read };
    }
  } catch (error) {
    // Errors of whoever consumes this are not thrown in here.
    unreadable(error);
  }
  yield { text: decoder.decode(), bytes_read };
}

function unreadable(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw new ImportError('unreadable', `the file can't be read: ${reason}`);
}
