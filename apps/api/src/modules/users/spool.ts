import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

export interface Spooled {
  bytes: number;
  /** Closes the file when read to the end or destroyed. */
  content: Readable;
}

/**
 * Writes a text to an unlinked temporary file and returns it for reading. So a slow reader holds no transaction open,
 * memory stays small, and errors occur before the first byte is sent. `parent`: folder of the file.
 */
export async function spool(text: AsyncIterable<string>, parent = tmpdir()): Promise<Spooled> {
  const folder = await mkdtemp(join(parent, 'sendlap-export-'));
  const remove = () => rm(folder, { recursive: true, force: true }).catch(() => {});
  let file: FileHandle | undefined;
  try {
    file = await open(join(folder, 'export'), 'wx+', 0o600);
    // Not through a stream: a write stream keeps hold of the file, which is then never closed.
    await file.writeFile(text);
    const { size: bytes } = await file.stat();
    const content = file.createReadStream({ start: 0 });
    // Where an open file cannot be unlinked, it is deleted after reading.
    content.once('close', () => void remove());
    await remove();
    return { bytes, content };
  } catch (error) {
    await file?.close();
    await remove();
    throw error;
  }
}
