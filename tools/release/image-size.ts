import { execFileSync } from 'node:child_process';
import { constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../project/project.ts';
import type { ReleaseTree } from './release-tree.ts';

const KIB = 1024;
/** Node's headers, which the Containerfile removes, and links to our own packages, which are listed where they are. */
const NOT_COUNTED = /^node_modules\/(?:node-linux-[^/]+\/include|@sendlap)\//;

/**
 * Returns the bytes of the image's files: the app's tree, and the Debian packages beside it, which this machine has too.
 * Says why it cannot where the machine is no Debian.
 */
export function measureImage(tree: Pick<ReleaseTree, 'list'>): { bytes: number } | { missing: string } {
  const files = [...tree.list()].filter(([path, entry]) => !(NOT_COUNTED.test(path) || isFolder(entry)));
  const sizes = files.map(([, entry]) => Number.parseInt(entry, 10));
  try {
    const query = ['--status', ...listDebianPackages()];
    const status = execFileSync('dpkg-query', query, { encoding: 'utf8', stdio: 'pipe' });
    const libraries = [...status.matchAll(/^Installed-Size: (\d+)$/gm)].map(([, size]) => Number(size));
    return { bytes: sum(sizes) + sum(libraries) * KIB };
  } catch (error) {
    return { missing: `dpkg-query cannot tell the size of Debian's libraries (${(error as Error).message})` };
  }
}

/** The rights come last. */
const isFolder = (entry: string) => (Number(entry.split(' ').at(-1)) & constants.S_IFMT) === constants.S_IFDIR;
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

/** Returns the packages that the Containerfile unpacks. */
function listDebianPackages(): string[] {
  const [, names = ''] =
    /apt-get download (.+?) \\/.exec(readFileSync(join(ROOT, 'deploy/Containerfile'), 'utf8')) ?? [];
  return names.split(' ');
}
