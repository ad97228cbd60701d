import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartError } from './start-error.ts';

/** Returns the text of a file, undefined if it does not exist. Throws a StartError if it cannot be read. */
export async function readSecretFile(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new StartError(`The file ${file} cannot be read (${code})`);
  }
}

/** Writes a file that only this account can read (mode 0600), whole or not at all. Throws a StartError if it cannot. */
export async function writeSecretFile(file: string, text: string): Promise<void> {
  // Under another name first: two processes may write at a time, and an existing file may have other rights.
  const new_file = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(new_file, text, { mode: 0o600, flush: true });
    await rename(new_file, file);
  } catch (error) {
    await rm(new_file, { force: true }).catch(() => {});
    throw new StartError(`The file ${file} cannot be written (${(error as NodeJS.ErrnoException).code})`);
  }
}
