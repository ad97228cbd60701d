import { Readable, Writable } from 'node:stream';
import type { Command } from '#api/cli/command.ts';
import type { Database } from '#api/platform/database.ts';

/** Runs a verb of the operator CLI as a script does, not on a terminal. Returns its exit code and its output. */
export async function runVerb(database: Database, act: Command['run'], args: string[], input = '') {
  const texts = { stdout: '', stderr: '' };
  const sink = (name: 'stdout' | 'stderr') =>
    new Writable({
      write(chunk, _encoding, done) {
        texts[name] += String(chunk);
        done();
      },
    });
  const stdin = Readable.from([Buffer.from(input)]);
  const context = { database, stdin, stdout: sink('stdout'), stderr: sink('stderr'), is_tty: false };
  return { code: await act(args, context), ...texts };
}
