import type { Writable } from 'node:stream';
import type { Database } from '#api/platform/database.ts';

interface Output {
  stdout: Writable;
  stderr: Writable;
}

export interface CommandContext extends Output {
  database: Database;
  is_tty: boolean;
}

/** One verb of the operator's line; the file is called `<noun>-<verb>.ts` and exports it as `command`. */
export interface Command {
  noun: string;
  verb: string;
  summary: string;
  usage: string;
  /** Exit code: 0 done, 1 refused, 2 wrong usage. */
  run(args: string[], context: CommandContext): Promise<number>;
}

/** One that needs no database, and opens and migrates none. */
export interface StandaloneCommand extends Omit<Command, 'run'> {
  /** `variables`: the settings, as the environment has them. Exit code as of `run`. */
  runAlone(args: string[], output: Output, variables: Record<string, string | undefined>): Promise<number>;
}

export const EXIT_OK = 0;
export const EXIT_REFUSED = 1;
export const EXIT_USAGE = 2;
