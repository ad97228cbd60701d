import { spawn } from 'node:child_process';
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Fault, Journey } from './areas/fault.ts';
import { OUTSIDE_OF_TESTS } from './outcome.ts';

/** A fault that makes a run hang is caught too: the run of the whole suite would hang as well. */
const LONGEST_RUN_MS = 300_000;
const LONGEST_JOURNEY_MS = 420_000;
const KILL_AFTER_MS = 10_000;

/** The first failed test and its message, or null: all passed. */
export type Verdict = { test: string; message: string } | null;

/** The project `api` starts a database server, which only its own tests need. */
function projectsOf(files: readonly string[]): string[] {
  const count = files.filter((file) => file.startsWith('apps/api/')).length;
  return [...(count < files.length ? ['unit', 'web', 'screens'] : []), ...(count > 0 ? ['api'] : [])];
}

interface Ended {
  code: number;
  output: string;
  is_killed: boolean;
}

/** Runs a program in its own process group, so that all its child processes end with it at the timeout. */
function runIn(root: string, args: string[], longest_ms: number): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    let is_killed = false;
    const end = (signal: NodeJS.Signals) => {
      is_killed = true;
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, signal);
    };
    const timers = [setTimeout(end, longest_ms, 'SIGTERM'), setTimeout(end, longest_ms + KILL_AFTER_MS, 'SIGKILL')];
    child.once('close', (code) => {
      for (const timer of timers) clearTimeout(timer);
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString(), is_killed });
    });
  });
}

/** Returns the Vitest files of the tree that match these paths and globs. */
export function findTests(root: string, patterns: readonly string[]): string[] {
  return [...new Set(patterns.flatMap((pattern) => globSync(pattern, { cwd: root })))].sort();
}

/** Returns whether the tree still has a journey. */
function hasJourney(root: string, { file, title }: Journey): boolean {
  const path = join(root, file);
  return existsSync(path) && readFileSync(path, 'utf8').includes(title);
}

/** Returns why a fault's tests cannot catch it; null if they can. */
export function whyUntested(root: string, { tests, journey }: Fault): string | null {
  if (journey && !hasJourney(root, journey)) return `its journey is gone: ${journey.file}, "${journey.title}"`;
  if (journey || findTests(root, tests).length > 0) return null;
  return tests.length > 0 ? `none of its tests is there: ${tests.join(', ')}` : 'it names no test and no journey';
}

/** Runs Vitest files until the first failure. Throws if they could not run. */
export async function runVitest(root: string, files: readonly string[], longest_ms = LONGEST_RUN_MS): Promise<Verdict> {
  if (files.length === 0) return null;
  const report = join(root, '.cache/planted-vitest.json');
  rmSync(report, { force: true });
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...files, '--bail=1', '--reporter=json'];
  args.push(`--outputFile.json=${report}`, ...projectsOf(files).flatMap((name) => ['--project', name]));
  const { code, output, is_killed } = await runIn(root, args, longest_ms);
  if (is_killed) return { test: `${OUTSIDE_OF_TESTS} test`, message: 'the run did not end' };
  if (!existsSync(report)) {
    if (code === 0) return null;
    throw new Error(`Vitest could not run: ${output.slice(-2000)}`);
  }
  const failure = firstFailure(JSON.parse(readFileSync(report, 'utf8')) as VitestReport, root);
  if (failure) return failure;
  return code === 0 ? null : { test: `${OUTSIDE_OF_TESTS} test`, message: firstLine(output) };
}

/** The parts of Vitest's JSON report that are used. */
interface VitestReport {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

function firstFailure({ testResults }: VitestReport, root: string): Verdict {
  for (const { name, status, message, assertionResults } of testResults) {
    const file = relative(root, name);
    const failed = assertionResults.find((one) => one.status === 'failed');
    if (failed) return { test: `${file} › ${failed.fullName}`, message: firstLine(failed.failureMessages.join('\n')) };
    // A file that does not load fails without a failed test in it.
    if (status === 'failed' && message !== '') return { test: file, message: firstLine(message) };
  }
  return null;
}

/** Builds the web app of the copy and runs these journeys. Throws if they could not run. */
export async function runJourneys(root: string, journeys: readonly Journey[]): Promise<Verdict> {
  const files = [...new Set(journeys.map(({ file }) => file.replace(/^e2e\//, '')))];
  const titles = journeys.map(({ title }) => title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const args = ['tools/test.ts', 'e2e', ...files, '-g', titles];
  const { code, output, is_killed } = await runIn(root, args, LONGEST_JOURNEY_MS * journeys.length);
  if (is_killed) return { test: `${OUTSIDE_OF_TESTS} journey`, message: 'the journey did not end' };
  if (code === 0) return null;
  const [, test, message] = /^Failed: (.*)\n\s*(.*)/m.exec(output) ?? [];
  if (test === undefined) throw new Error(`the journeys could not run: ${output.slice(-2000)}`);
  return { test, message: message ?? '' };
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}
