import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { ROOT } from '../project/project.ts';
import { collectedFigures, type Figure } from './figures.ts';

/**
 * The function that a program's file exports: it prints its figures, returns those of the nightly table, and throws if
 * it fails.
 */
type Program = {
  run: (flags: Record<string, boolean>, values: Record<string, string>) => Promise<readonly Figure[] | undefined>;
};

/** Sent to `npm run nightly`, which starts each program as a child process of its own. */
export type ProgramResult = { figures: readonly Figure[]; error?: string };

/** A folder of programs, one file each, and their options: `flags` alone, `values` with a text each. */
type ProgramFolder = { folder: string; args: string[]; about: string; flags?: string[]; values?: string[] };

function usage({ folder, about, flags = [], values = [] }: ProgramFolder, names: string[]): string {
  const switches = [...flags, ...values.map((value) => `${value} …`)].map((flag) => ` [--${flag}]`).join('');
  const list = names.map((name) => `  ${name}`).join('\n') || '  (none yet)';
  return `${about}\n\nnpm run ${folder} [-- name …${switches}]\n\n${list}`;
}

/** Names of the programs in a folder. */
export function listPrograms(folder: string): string[] {
  const files = readdirSync(join(ROOT, folder)).filter((file) => /^[\w-]+(?<!\.test)\.ts$/.test(file));
  return files.map((file) => file.replace(/\.ts$/, '')).sort();
}

/** Runs the programs named on the command line, or all of them; exit code 1 if one throws or does not exist. */
export async function runPrograms(options: ProgramFolder): Promise<void> {
  const names = listPrograms(options.folder);
  const switches = Object.fromEntries([
    ...['help', ...(options.flags ?? [])].map((flag) => [flag, { type: 'boolean' as const }] as const),
    ...(options.values ?? []).map((value) => [value, { type: 'string' as const }] as const),
  ]);
  let parsed: { positionals: string[]; values: Record<string, unknown> };
  try {
    parsed = parseArgs({ args: options.args, options: switches, allowPositionals: true });
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage(options, names)}`);
    process.exitCode = 1;
    return;
  }
  const { positionals, values } = parsed;
  const unknown = positionals.filter((name) => !names.includes(name));
  if (values.help || unknown.length > 0) {
    console.log(unknown.map((name) => `There is no "${name}".\n`).join('') + usage(options, names));
    process.exitCode = unknown.length > 0 ? 1 : 0;
    return;
  }
  const flags = Object.fromEntries((options.flags ?? []).map((flag) => [flag, values[flag] === true]));
  const text_values = Object.fromEntries(
    Object.entries(values).filter((entry) => typeof entry[1] === 'string'),
  ) as Record<string, string>;
  for (const name of positionals.length > 0 ? positionals : names) {
    console.log(`── ${name}`);
    const result: ProgramResult = { figures: [] };
    try {
      const program = (await import(pathToFileURL(join(ROOT, options.folder, `${name}.ts`)).href)) as Program;
      result.figures = (await program.run(flags, text_values)) ?? [];
    } catch (error) {
      console.error(error);
      result.error = error instanceof Error ? error.message : String(error);
      result.figures = collectedFigures();
      process.exitCode = 1;
    }
    process.send?.(result);
  }
}
