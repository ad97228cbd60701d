import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmCommand, ROOT, run } from './project.ts';

const INPUTS = ['apps/web', 'packages', 'package-lock.json', 'tsconfig.base.json'];
const NOT_INPUTS = new Set(['node_modules', 'dist', '.cache']);
const NOTE = join(ROOT, 'apps/web/dist/.build-hash');

function listFiles(path: string): string[] {
  const folder = join(ROOT, path);
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !NOT_INPUTS.has(entry.name))
    .flatMap((entry) => (entry.isDirectory() ? listFiles(join(path, entry.name)) : [join(path, entry.name)]));
}

function hashInputs(): string {
  const hash = createHash('sha256');
  const files = INPUTS.flatMap((path) => (/\.json$/.test(path) ? [path] : listFiles(path)));
  for (const file of files.sort())
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0');
  return hash.digest('hex');
}

/** Builds the web app unless the last whole build was made of the same files. Returns false when the build failed. */
export async function buildWebIfChanged(): Promise<boolean> {
  const hash = hashInputs();
  if (existsSync(NOTE) && readFileSync(NOTE, 'utf8') === hash) return true;
  rmSync(NOTE, { force: true });
  console.log('Building the web app…');
  const [npm, args] = npmCommand();
  const code = await run(npm, [...args, 'run', 'build', '--silent', '-w', '@sendlap/web'], { NODE_ENV: 'production' });
  if (code !== 0) return false;
  writeFileSync(NOTE, hash);
  return true;
}
