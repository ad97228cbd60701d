import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { ROOT } from './project.ts';

/** What a program's file exports; it prints its figures itself and throws when it does not hold. */
type Program = { run: (flags: Record<string, boolean>) => Promise<void> };

/** A folder of programs, one file each, and the switches that all of them take. */
type Folder = { folder: string; about: string; flags?: string[] };

function usage({ folder, about, flags = [] }: Folder, names: string[]): string {
  const switches = flags.map((flag) => ` [--${flag}]`).join('');
  const list = names.map((name) => `  ${name}`).join('\n') || '  (none yet)';
  return `${about}\n\nnpm run ${folder} [-- name …${switches}]\n\n${list}`;
}

/** Runs the programs named on the command line, or all of them; exit code 1 when one throws or is not there. */
export async function runPrograms(options: Folder): Promise<void> {
  const files = readdirSync(join(ROOT, options.folder)).filter((file) => /^(?!main\.)[\w-]+\.ts$/.test(file));
  const names = files.map((file) => file.replace(/\.ts$/, '')).sort();
  const switches = Object.fromEntries(
    ['help', ...(options.flags ?? [])].map((flag) => [flag, { type: 'boolean' as const }]),
  );
  let parsed: { positionals: string[]; values: Record<string, boolean | undefined> };
  try {
    parsed = parseArgs({ options: switches, allowPositionals: true });
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
  const flags = Object.fromEntries((options.flags ?? []).map((flag) => [flag, values[flag] ?? false]));
  for (const name of positionals.length > 0 ? positionals : names) {
    console.log(`── ${name}`);
    try {
      const program = (await import(pathToFileURL(join(ROOT, options.folder, `${name}.ts`)).href)) as Program;
      await program.run(flags);
    } catch (error) {
      console.error(error);
      process.exitCode = 1;
    }
  }
}
