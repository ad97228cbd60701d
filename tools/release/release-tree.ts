import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeTarball } from './archive.ts';
import { listReleaseFiles } from './release-files.ts';

/** A release, unpacked, with the packages that its own set-up installs, and read-only. */
export interface ReleaseTree {
  root: string;
  /** The unprivileged account that runs it; undefined where this process has no right to choose one. */
  account: { uid: number; gid: number } | undefined;
  /** Returns a folder that the account may write. */
  makeFolder(name: string): string;
  /** Returns a copy without one of its files. */
  copyWithout(path: string): ReleaseTree;
  /** Returns every path with its size, date and rights. */
  list(): Map<string, string>;
  remove(): void;
}

/** Makes the archive that `npm run release` makes, and unpacks it as an operator does. */
export function unpackRelease(): ReleaseTree {
  // Not in the project: the account has to reach it.
  const box = mkdtempSync(join(tmpdir(), 'sendlap-image-'));
  const root = join(box, 'app');
  mkdirSync(root);
  execFileSync('chmod', ['755', box]);
  const archive = join(box, 'release.tar.gz');
  writeTarball(archive, { files: listReleaseFiles(), folder: 'app', modified_s: Date.now() / 1000 });
  execFileSync('tar', ['-xzf', archive, '-C', box]);
  execFileSync(process.execPath, ['tools/setup.mjs'], { cwd: root, stdio: 'inherit' });
  execFileSync('chmod', ['-R', 'a-w', root]);
  return treeAt(box, root, findAccount());
}

function treeAt(box: string, root: string, account: ReleaseTree['account']): ReleaseTree {
  return {
    root,
    account,
    makeFolder(name) {
      const folder = mkdtempSync(join(box, `${name}-`));
      if (account) chownSync(folder, account.uid, account.gid);
      return folder;
    },
    copyWithout(path) {
      const copy = join(mkdtempSync(join(box, 'copy-')), 'app');
      execFileSync('chmod', ['755', dirname(copy)]);
      execFileSync('cp', ['-al', root, copy]);
      execFileSync('chmod', ['u+w', dirname(join(copy, path))]);
      rmSync(join(copy, path));
      return treeAt(box, copy, account);
    },
    list() {
      const entries = readdirSync(root, { recursive: true, encoding: 'utf8' });
      return new Map(
        ['', ...entries].map((path) => {
          const { size, mtimeMs, mode } = lstatSync(join(root, path));
          return [path, `${size} ${mtimeMs} ${mode}`];
        }),
      );
    },
    remove() {
      execFileSync('chmod', ['-R', 'u+w', box]);
      rmSync(box, { recursive: true, force: true });
    },
  };
}

/** Returns the account with the least rights, if this is root: PostgreSQL needs one with a name on this machine. */
function findAccount(): ReleaseTree['account'] {
  if (process.getuid?.() !== 0 || !existsSync('/etc/passwd')) return undefined;
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
  if (!uid || !gid) throw new Error('this machine has no account with few rights');
  return { uid: Number(uid), gid: Number(gid) };
}

/** Returns the installed packages that only development needs. */
export function findDevelopmentPackages({ root }: ReleaseTree): string[] {
  const lock = JSON.parse(readFileSync(join(root, 'node_modules/.package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  return Object.entries(lock.packages).flatMap(([path, { dev }]) => (dev ? [path] : []));
}
