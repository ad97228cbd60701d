import { Readable, Writable } from 'node:stream';
import type { Command } from '#api/cli/command.ts';
import type { Database } from '#api/database/database.ts';

/** Streams that record their output as text. */
export function createOutput() {
  const texts = { stdout: '', stderr: '' };
  const sink = (name: 'stdout' | 'stderr') =>
    new Writable({
      write(chunk, _encoding, done) {
        texts[name] += String(chunk);
        done();
      },
    });
  return { texts, streams: { stdout: sink('stdout'), stderr: sink('stderr') } };
}

/** Runs a verb of the operator CLI as a script does, unless `is_tty`. Returns its exit code and its output. */
export async function runVerb(database: Database, act: Command['run'], args: string[], input = '', is_tty = false) {
  const { texts, streams } = createOutput();
  const stdin = Readable.from([Buffer.from(input)]);
  return { code: await act(args, { database, stdin, ...streams, is_tty }), ...texts };
}
