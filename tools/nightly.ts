import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isDebian } from '../apps/api/test/debian-packages.ts';
import { BUDGET_MINUTES, FULL_SIZE_FLAGS, limitOf, minutesOf, type Seconds } from './programs/nightly-plan.ts';
import { formatNightlyTable, type NightlyRow, resultOf, selectPrograms, toPrograms } from './programs/nightly-table.ts';
import { listPrograms, type ProgramResult } from './programs/programs.ts';
import { ROOT, waitForExit } from './project/project.ts';

const USAGE = `Runs every fault program and every bench in its full size, one after another, and prints one table.

npm run nightly [-- program …] [--list]`;
/** The time that a program may take to clean up after SIGTERM. */
const CLEANUP_MS = 20_000;
const LAST_MESSAGE_MS = 1_000;
const FOLDER = join(ROOT, '.cache/nightly');
const MEASURED_SECONDS_FILE = join(FOLDER, 'seconds.json');
const TABLE_FILE = join(FOLDER, 'table.txt');
/** Measured alone on two cores; a run on this machine replaces them in the cache. */
const DEFAULT_SECONDS_FILE = join(ROOT, 'tools/nightly-seconds.json');

function readSeconds(path: string): Seconds {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Seconds;
  } catch {
    return {};
  }
}

function printList(programs: readonly string[], seconds: Seconds): void {
  for (const program of programs) console.log(`${String(seconds[program] ?? '?').padStart(6)} s  ${program}`);
  const minutes = minutesOf(programs, seconds).toFixed(0);
  console.log(`\n${programs.length} programs, ${minutes} minutes; a night has ${BUDGET_MINUTES}`);
}

/** Ends a program and all its child processes. */
function signalProgram(program: ChildProcess, signal: NodeJS.Signals): void {
  if (program.pid === undefined || program.exitCode !== null || program.signalCode !== null) return;
  try {
    process.kill(-program.pid, signal);
  } catch {
    // The process group has ended.
  }
}

function terminateProgram(program: ChildProcess): void {
  signalProgram(program, 'SIGTERM');
  setTimeout(() => signalProgram(program, 'SIGKILL'), CLEANUP_MS).unref();
}

let running: ChildProcess | undefined;
let is_stopped = false;

function stop(): void {
  is_stopped = true;
  if (running) terminateProgram(running);
}

/** Runs a program in a process of its own, with its output in a file: if it crashes or hangs, the others still run. */
async function runProgram(program: string, expected_s: number | undefined): Promise<NightlyRow> {
  const [folder = '', name = ''] = program.split('/');
  const log = openSync(join(FOLDER, `${folder}-${name}.log`), 'w');
  const limit_s = limitOf(expected_s);
  const started_at = performance.now();
  const child = spawn(process.execPath, ['tools/program.ts', folder, name, ...(FULL_SIZE_FLAGS[program] ?? [])], {
    cwd: ROOT,
    detached: true,
    env: { ...process.env, ...(isDebian() ? { BENCH_PEERS: 'required' } : {}) },
    stdio: ['ignore', log, log, 'ipc'],
  });
  running = child;
  let result: ProgramResult = { figures: [], error: 'the program ended without a result' };
  child.on('message', (message) => {
    result = message as ProgramResult;
  });
  let has_timed_out = false;
  const time_out = setTimeout(() => {
    has_timed_out = true;
    terminateProgram(child);
  }, limit_s * 1000);
  const disconnected = new Promise((resolve) => child.once('disconnect', resolve));
  const code = await waitForExit(child);
  // The last message may arrive after the program's end.
  await Promise.race([disconnected, pause(LAST_MESSAGE_MS)]);
  clearTimeout(time_out);
  closeSync(log);
  const row = { program, seconds: (performance.now() - started_at) / 1000, figures: result.figures };
  if (has_timed_out) return { ...row, error: `it was ended after ${limit_s} s` };
  const error = result.error ?? (code === 0 ? undefined : `it ended with code ${code}`);
  return error === undefined ? row : { ...row, error };
}

async function runAll(programs: readonly string[], seconds: Seconds): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const rows: NightlyRow[] = [];
  process.once('SIGINT', stop).once('SIGTERM', stop);
  for (const program of programs) {
    if (is_stopped) break;
    const row = await runProgram(program, seconds[program]);
    rows.push(row);
    const result = resultOf(row);
    console.log(`${result.padEnd(6)} ${row.seconds.toFixed(0).padStart(5)} s  ${program}`);
    if (result === 'RED') continue;
    const measured = { ...readSeconds(MEASURED_SECONDS_FILE), [program]: Math.round(row.seconds) };
    writeFileSync(MEASURED_SECONDS_FILE, `${JSON.stringify(measured, null, 2)}\n`);
  }
  const table = formatNightlyTable(rows);
  console.log(`\n${table}`);
  writeFileSync(TABLE_FILE, `${table}\n`);
  if (rows.length < programs.length) console.log(`Stopped after ${rows.length} of ${programs.length} programs.`);
  if (rows.length < programs.length || rows.some((row) => resultOf(row) === 'RED')) process.exitCode = 1;
  console.log(`The output of each program lies in ${FOLDER}.`);
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    options: { list: { type: 'boolean' }, help: { type: 'boolean' } },
    allowPositionals: true,
  });
  if (values.help) return console.log(USAGE);
  const programs = selectPrograms(toPrograms(listPrograms), positionals);
  const seconds = { ...readSeconds(DEFAULT_SECONDS_FILE), ...readSeconds(MEASURED_SECONDS_FILE) };
  if (values.list) printList(programs, seconds);
  else await runAll(programs, seconds);
}

await main().catch((error: unknown) => {
  console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  process.exitCode = 1;
});
