import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

export interface Spooled {
  bytes: number;
  /** Ends the file when it is read or destroyed. */
  content: Readable;
}

/**
 * Writes a text to a nameless file and gives it back to read. So a slow reader holds no transaction open, memory stays
 * small, and what fails fails before the first byte is sent. `parent`: the folder that it is made in.
 */
export async function spool(text: AsyncIterable<string>, parent = tmpdir()): Promise<Spooled> {
  const folder = await mkdtemp(join(parent, 'sendlap-export-'));
  const remove = () => rm(folder, { recursive: true, force: true }).catch(() => {});
  let file: FileHandle | undefined;
  try {
    file = await open(join(folder, 'export'), 'wx+', 0o600);
    // Not by a stream: a write stream keeps hold of the file, which then is never closed.
    await file.writeFile(text);
    const { size: bytes } = await file.stat();
    const content = file.createReadStream({ start: 0 });
    // Where an open file cannot lose its name, it goes when it was read.
    content.once('close', () => void remove());
    await remove();
    return { bytes, content };
  } catch (error) {
    await file?.close();
    await remove();
    throw error;
  }
}
