import { Writable } from 'node:stream';
import type { Command } from '#api/cli/command.ts';
import type { Database } from '#api/platform/database.ts';

/** Runs a verb of the operator's line as a script does, not on a terminal; gives its exit code and what it wrote. */
export async function runVerb(database: Database, act: Command['run'], args: string[]) {
  const texts = { stdout: '', stderr: '' };
  const sink = (name: 'stdout' | 'stderr') =>
    new Writable({
      write(chunk, _encoding, done) {
        texts[name] += String(chunk);
        done();
      },
    });
  const context = { database, stdout: sink('stdout'), stderr: sink('stderr'), is_tty: false };
  return { code: await act(args, context), ...texts };
}
