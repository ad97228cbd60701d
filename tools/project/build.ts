import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildWorldIfChanged } from '../../apps/api/build/world-file.ts';
import { npmCommand, ROOT, run } from './project.ts';

const INPUTS = ['apps/web', 'packages', 'package-lock.json', 'tsconfig.base.json'];
const IGNORED_NAMES = new Set(['node_modules', 'dist', '.cache']);
const HASH_FILE = join(ROOT, 'apps/web/dist/.build-hash');

function listFiles(path: string): string[] {
  const folder = join(ROOT, path);
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !IGNORED_NAMES.has(entry.name))
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

/**
 * Builds the web app and the world map, each unless its files are unchanged. Returns false if the app could not be
 * built; without the map, the server answers 503 for it.
 */
export async function buildIfChanged(): Promise<boolean> {
  const [has_app, has_world] = await Promise.all([buildWebIfChanged(), buildWorldIfChanged()]);
  if (!has_world) console.error('The map of the world could not be built. The app starts without it.');
  return has_app;
}

async function buildWebIfChanged(): Promise<boolean> {
  const hash = hashInputs();
  if (existsSync(HASH_FILE) && readFileSync(HASH_FILE, 'utf8') === hash) return true;
  rmSync(HASH_FILE, { force: true });
  if (!existsSync(join(ROOT, 'node_modules/vite'))) {
    // Without the hash, the next set-up installs them.
    console.error(
      'The app has changed since it was built, and production lacks the packages to build it: start again.',
    );
    return false;
  }
  console.log('Building the web app…');
  const [npm, args] = npmCommand();
  const code = await run(npm, [...args, 'run', 'build', '--silent', '-w', '@sendlap/web'], { NODE_ENV: 'production' });
  if (code !== 0) return false;
  writeFileSync(HASH_FILE, hash);
  return true;
}
