import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { ROOT } from '../project/project.ts';

const MAX_BYTES = 1024 ** 3;

/** The same files give the same bytes: `modified_s` (seconds since 1970) is the date of each, and all belong to root. */
type Contents = { files: readonly string[]; folder: string; modified_s: number };

/** Writes files of the project into a tar.gz, below a folder. Throws without GNU tar. */
export function writeTarball(path: string, { files, folder, modified_s }: Contents): void {
  const tar = findGnuTar();
  const dates = ['--format=ustar', `--mtime=@${modified_s}`];
  const owners = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u=rw,go=r'];
  const names = ['--no-recursion', `--transform=s,^,${folder}/,`, '--null', '--files-from=-'];
  const options = { cwd: ROOT, input: files.join('\0'), maxBuffer: MAX_BYTES };
  writeFileSync(path, gzipSync(execFileSync(tar, ['--create', ...dates, ...owners, ...names], options), { level: 9 }));
}

function findGnuTar(): string {
  for (const name of ['tar', 'gtar']) {
    try {
      if (execFileSync(name, ['--version'], { encoding: 'utf8' }).includes('GNU')) return name;
    } catch {
      // It is not installed.
    }
  }
  throw new Error('a release needs GNU tar: on macOS, `brew install gnu-tar`');
}
