import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const MAKE = fileURLToPath(new URL('../apps/api/test/make-data-template.ts', import.meta.url));

const run = promisify(execFile);

/** A data folder with the schema and the first centers, for servers to begin on a copy of it; without any secret. */
export interface DataTemplate {
  /** Puts a copy where nothing is yet. */
  copyTo(data_dir: string): Promise<void>;
}

/** Made anew, so that it is what this tree's migrations and its PostgreSQL make; gone with this process. */
export async function makeDataTemplate(): Promise<DataTemplate> {
  const folder = join(tmpdir(), `sendlap-e2e-template-${randomUUID()}`);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await run(process.execPath, [MAKE, folder]);
  // Under root the files belong to the database's own account, which `fs.cp` would take from it.
  return { copyTo: async (data_dir) => void (await run('cp', ['-a', folder, data_dir])) };
}
