import { readdir } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import {
  CommanderError,
  type CommandUnknownOpts,
  InvalidArgumentError,
  type OptionValues,
  Command as Syntax,
} from '@commander-js/extra-typings';
import type { Database } from '#api/database/database.ts';
import { VERSION } from '#api/platform/version.ts';

const EXIT_OK = 0;
export const EXIT_REFUSED = 1;
const EXIT_USAGE = 2;
const PROGRAM = 'npm run sendlap --';

interface Streams {
  stdout: Writable;
  stderr: Writable;
  stdin?: Readable;
  /** Whether progress may be drawn on `stderr`. */
  is_tty: boolean;
}

export interface CommandContext extends Streams {
  database: Database;
}

interface Environment extends Streams {
  useDatabase<Value>(work: (database: Database) => Promise<Value>): Promise<Value>;
}

/** What a verb found or did. */
export interface CommandResult {
  /** Printed with `--json`. */
  data: unknown;
  /** Printed without `--json`. */
  text: string;
  /** Printed on `stderr`, with `--json` too. */
  problems?: string;
  has_failed?: boolean;
}

/** The verb refuses. The message is printed, and the exit code is 1. */
export class RefusedError extends Error {}

/** Options that do not fit together. The message is printed with the usage, and the exit code is 2. */
export class UsageError extends Error {}

interface CommandDefinition<Args extends unknown[], Options extends OptionValues, Context> {
  noun: string;
  verb: string;
  summary: string;
  /** Its lines are joined: the help breaks them where the terminal ends. */
  description: string;
  /** Describes the output of `--json`. */
  json: string;
  /** When the exit code is 0 and when it is 1. */
  exit_codes: string;
  /** Further help, printed below the options. */
  notes?: string;
  /** Declares arguments and options other than `--json`, if there are any. */
  declare?: () => Syntax<Args, Options>;
  /** Throws RefusedError and UsageError. */
  run(context: Context, options: Options, ...args: Args): Promise<CommandResult>;
}

/**
 * A verb of the operator CLI. The file is called `<noun>-<verb>.ts` or `<noun>/<verb>.ts` and exports it as `command`. A
 * verb that is called like its noun runs by the noun alone.
 */
export interface Command {
  noun: string;
  verb: string;
  register(parent: CommandUnknownOpts, environment: Environment, onEnd: (exit_code: number) => void): void;
  /** Runs this verb alone. Returns the exit code: 0 done, 1 refused, 2 wrong usage. */
  run(args: string[], context: CommandContext): Promise<number>;
}

export function defineCommand<Args extends unknown[] = [], Options extends OptionValues = OptionValues>(
  definition: CommandDefinition<Args, Options, CommandContext>,
): Command {
  return createCommand(definition, (environment, run) =>
    environment.useDatabase((database) => run({ ...environment, database })),
  );
}

/** Defines a verb that opens no database. */
export function defineStandaloneCommand<Args extends unknown[] = [], Options extends OptionValues = OptionValues>(
  definition: CommandDefinition<Args, Options, Streams>,
): Command {
  return createCommand(definition, (environment, run) => run(environment));
}

function createCommand<Args extends unknown[], Options extends OptionValues, Context>(
  definition: CommandDefinition<Args, Options, Context>,
  runWith: (environment: Environment, run: (context: Context) => Promise<CommandResult>) => Promise<CommandResult>,
): Command {
  const { noun, verb, declare = () => new Syntax() as unknown as Syntax<Args, Options> } = definition;
  const command: Command = {
    noun,
    verb,
    register(parent, environment, onEnd) {
      const syntax = describeSyntax(definition, declare().copyInheritedSettings(parent));
      parent.addCommand(syntax);
      syntax.action(async () => {
        const { json = false } = syntax.opts() as { json?: boolean };
        const run = (context: Context) => definition.run(context, syntax.opts(), ...(syntax.processedArgs as Args));
        try {
          const result = await runWith({ ...environment, is_tty: environment.is_tty && !json }, run);
          onEnd(printResult(result, json, environment));
        } catch (error) {
          if (error instanceof UsageError) syntax.error(`error: ${error.message}`);
          if (!(error instanceof RefusedError)) throw error;
          environment.stderr.write(`${error.message}\n`);
          onEnd(EXIT_REFUSED);
        }
      });
    },
    run: (args, { database, ...streams }) =>
      runProgram([command], [...new Set([noun, verb]), ...args], { ...streams, useDatabase: (work) => work(database) }),
  };
  return command;
}

function describeSyntax<Args extends unknown[], Options extends OptionValues>(
  {
    verb,
    summary,
    description,
    json,
    exit_codes,
    notes,
  }: Omit<CommandDefinition<Args, Options, never>, 'declare' | 'run'>,
  syntax: Syntax<Args, Options>,
): Syntax<Args, Options> {
  const names = syntax.registeredArguments.map((argument) => `<${argument.name()}>`);
  const mandatory = syntax.options.filter((option) => option.mandatory).map(({ flags }) => flags);
  syntax.option('--json', `print ${json} as JSON`);
  syntax.name(verb).summary(summary).description(description.replaceAll('\n', ' '));
  syntax.usage([...names, ...mandatory, '[options]'].join(' '));
  if (notes !== undefined) syntax.addHelpText('after', `\n${notes}`);
  syntax.addHelpText('after', `\nExit code: ${exit_codes}, ${EXIT_USAGE} wrong usage.`);
  return syntax;
}

/** Prints the result and returns the exit code. */
function printResult(
  { data, text, problems = '', has_failed }: CommandResult,
  json: boolean,
  { stdout, stderr }: Streams,
): number {
  stdout.write(json ? `${toTerminalSafeJson(data)}\n` : text);
  stderr.write(problems);
  return has_failed ? EXIT_REFUSED : EXIT_OK;
}

/**
 * Returns JSON without the control and direction characters that JSON.stringify leaves: users' texts may contain them.
 */
export function toTerminalSafeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\u009f]|\p{Bidi_Control}/gu,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Runs the verb that the arguments name. Returns the exit code. */
export async function runProgram(
  commands: readonly Command[],
  args: string[],
  environment: Environment,
): Promise<number> {
  let exit_code = EXIT_USAGE;
  const program = createProgram(environment);
  for (const [noun, verbs = []] of Object.entries(Object.groupBy(commands, (command) => command.noun))) {
    const is_alone = verbs.some(({ verb }) => verb === noun);
    const group = is_alone ? program : program.command(noun).summary(verbs.map(({ verb }) => verb).join(', '));
    for (const command of verbs)
      command.register(group, environment, (code) => {
        exit_code = code;
      });
  }
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT_OK : EXIT_USAGE;
  }
  return exit_code;
}

function createProgram({ stdout, stderr }: Streams): CommandUnknownOpts {
  return new Syntax(PROGRAM)
    .description('The operator CLI of Sendlap.')
    .version(VERSION)
    .exitOverride()
    .showHelpAfterError()
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) });
}

/** Returns the value of an option that is a number of entries or days. */
export function parseCount(text: string): number {
  // As days at most 27 years: a hundred would exceed the last year of the contract.
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('It takes a number of 1 to 9999.');
  return Number(text);
}

/**
 * Every file here that is called `<noun>-<verb>.ts` or `<noun>/<verb>.ts` is a command. Loads the one that the arguments
 * name; all of them for help, and for arguments that name none.
 */
export async function loadCommands([noun = '', verb = '']: string[]): Promise<Command[]> {
  const files = (await readdir(new URL('./', import.meta.url), { recursive: true }))
    .filter((name) => /^[a-z]+[-/][a-z-]+\.ts$/.test(name))
    .sort();
  const named = files.find((file) => [`${noun}-${verb}.ts`, `${noun}/${verb}.ts`, `${noun}/${noun}.ts`].includes(file));
  const modules = (named ? [named] : files).map(
    (file) => import(new URL(file, import.meta.url).href) as Promise<{ command: Command }>,
  );
  return (await Promise.all(modules)).map((module) => module.command);
}
