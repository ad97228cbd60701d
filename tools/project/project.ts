import { type ChildProcess, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's top folder, without a slash at the end. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** The folder in which `npm start` stores compiled TypeScript. */
export const COMPILE_CACHE = join(ROOT, '.cache/node');

/** The folder of the reports of the last test run. */
export const REPORTS_DIR = join(ROOT, '.cache/reports');

/** A program's end and its output (both streams, in order of arrival). */
export type CommandOutput = { ok: boolean; output: string };

/** Resolves with the exit code; 1 if a signal ended the program or it could not be started. */
export async function waitForExit(child: ChildProcess): Promise<number> {
  return await new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Runs a program in the project with its output on the terminal; returns the exit code. */
export function run(command: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  return waitForExit(spawn(command, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } }));
}

/** Runs a program in the project and returns its output. */
export async function capture(command: string, args: string[], cwd = ROOT): Promise<CommandOutput> {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => child.once('close', resolve));
  const code = await waitForExit(child);
  if (child.pid !== undefined) await ended;
  return { ok: code === 0, output: Buffer.concat(chunks).toString() };
}

/** Returns the program and first arguments that run npm, under npm's own Node if npm started this process. */
export function npmCommand(): [string, string[]] {
  const { npm_execpath } = process.env;
  return npm_execpath ? [process.execPath, [npm_execpath]] : ['npm', []];
}
