import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Fault } from './areas/fault.ts';

/** npm installs a package in a workspace's folder if the root has another version of it. */
const PACKAGES = ['.', 'apps/api', 'apps/web', 'e2e'].map((folder) => join(folder, 'node_modules'));

/** A copy of the working tree in the system's temporary folder: the real tree is never changed. */
export interface Scratch {
  root: string;
  /** Puts a fault into the copy. Returns a function that removes it. */
  plant(fault: Fault): () => void;
  remove(): void;
}

/** Copies every file that git tracks or would track, and links the installed packages. */
export function createScratch(tree: string): Scratch {
  const root = mkdtempSync(join(tmpdir(), 'sendlap-planted-'));
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: tree, encoding: 'utf8' });
  for (const path of listed.split('\n')) if (path !== '') copyFile(tree, root, path);
  for (const path of PACKAGES) linkPackages(join(tree, path), join(root, path));
  // Vite writes its files in place, which a hard link would share with the real tree.
  rmSync(join(root, 'node_modules/.vite'), { recursive: true, force: true });
  mkdirSync(join(root, '.cache'), { recursive: true });
  return {
    root,
    plant(fault) {
      const path = join(root, fault.file);
      const text = readFileSync(path, 'utf8');
      writeFileSync(
        path,
        text.replace(fault.find, () => fault.replace),
      );
      return () => writeFileSync(path, text);
    },
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
  };
}

/** Hard links take no disk space; between two disks they fail, and the files are copied. */
function linkPackages(from: string, to: string): void {
  if (!existsSync(from) || spawnSync('cp', ['-al', from, to]).status === 0) return;
  rmSync(to, { recursive: true, force: true });
  execFileSync('cp', ['-a', from, to]);
}

function copyFile(tree: string, root: string, path: string): void {
  const from = join(tree, path);
  // git still lists a deleted file until the deletion is committed.
  if (!existsSync(from)) return;
  mkdirSync(dirname(join(root, path)), { recursive: true });
  copyFileSync(from, join(root, path));
}

/** Returns why a fault cannot be planted in the tree; null if it can. */
export function whyNotPlantable(tree: string, { file, find, replace }: Fault): string | null {
  const path = join(tree, file);
  if (!existsSync(path)) return `${file} does not exist`;
  const count = readFileSync(path, 'utf8').split(find).length - 1;
  if (find === replace) return 'it changes nothing';
  return count === 1 ? null : `its text occurs ${count} times in ${file}`;
}
