import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { buildIfChanged } from '../project/build.ts';
import { capture } from '../project/project.ts';
import { isTestFile } from '../spec/claims.ts';
import { startBusyLoops } from './busy-loops.ts';
import { judge } from './judge.ts';
import { findBrowsers, runJourneys } from './run-journeys.ts';
import { type PartResult, runVitest } from './run-vitest.ts';
import { describeReport } from './test-report.ts';

const RUNS = 10;
const BUSY_LOOPS = 2;
const MAX_SEED = 1_000_000;

/** The runs of a test file; for a unit or api file, a failure is a run with a failed test. */
export type BurnInFile = { file: string; runs: number; failures: number; flaky: number };

async function git(...args: string[]): Promise<string | undefined> {
  const { ok, output } = await capture('git', args);
  return ok ? output.trim() : undefined;
}

/** Returns the commit at which this branch left the main branch. Throws without a main branch elsewhere. */
async function findBase(): Promise<string> {
  const base = await git('merge-base', 'HEAD', 'origin/main');
  if (base === undefined) throw new Error('there is no origin/main: name the commit to compare with');
  return base;
}

/**
 * Returns the test files that differ from the commit: committed, uncommitted and untracked. Throws for an unknown
 * commit.
 */
async function findChangedTests(commit: string): Promise<string[]> {
  const changed = await git('diff', '--name-only', '--diff-filter=d', commit);
  if (changed === undefined) throw new Error(`git knows no commit ${commit}`);
  const untracked = await git('ls-files', '--others', '--exclude-standard');
  const files = `${changed}\n${untracked ?? ''}`.split('\n').filter(isTestFile);
  return [...new Set(files)].sort();
}

/** Adds up the runs of each file. */
export function sumRuns(runs: BurnInFile[]): BurnInFile[] {
  const sums = new Map<string, BurnInFile>();
  for (const { file, runs: count, failures, flaky } of runs) {
    const sum = sums.get(file) ?? { file, runs: 0, failures: 0, flaky: 0 };
    sums.set(file, {
      file,
      runs: sum.runs + count,
      failures: sum.failures + failures,
      flaky: sum.flaky + flaky,
    });
  }
  return [...sums.values()];
}

/** Returns a problem for each file that ran less often than it should: no project of Vitest may include it. */
export function findUnburnt(files: readonly string[], sums: readonly BurnInFile[]): string[] {
  return files.flatMap((file) => {
    const runs = sums.find((sum) => sum.file === file)?.runs ?? 0;
    return runs < RUNS ? [`${file} ran ${runs} times, ${RUNS} are expected`] : [];
  });
}

export function formatBurnIn(files: BurnInFile[]): string {
  const width = Math.max(4, ...files.map(({ file }) => file.length));
  const rows = files.map(({ file, runs, failures, flaky }) => [file, runs, failures, flaky] as const);
  return [['file', 'runs', 'failures', 'flaky'] as const, ...rows]
    .map(([file, ...cells]) => [file.padEnd(width), ...cells.map((cell) => String(cell).padStart(10))].join(''))
    .join('\n');
}

async function burnInVitest(files: string[], seed: number): Promise<{ results: PartResult[]; runs: BurnInFile[] }> {
  const burn_in = { results: [] as PartResult[], runs: [] as BurnInFile[] };
  if (files.length === 0) return burn_in;
  for (let round = 0; round < RUNS; round += 1) {
    const args = ['--sequence.shuffle.files', '--sequence.shuffle.tests', `--sequence.seed=${seed + round}`, ...files];
    const result = await runVitest(undefined, args);
    burn_in.results.push(result);
    burn_in.runs.push(
      ...result.files.map(({ file, is_failed }) => ({ file, runs: 1, failures: is_failed ? 1 : 0, flaky: 0 })),
    );
  }
  return burn_in;
}

async function burnInJourneys(files: string[], seed: number): Promise<{ results: PartResult[]; runs: BurnInFile[] }> {
  if (files.length === 0) return { results: [], runs: [] };
  if (!(await buildIfChanged())) return { results: [{ problems: ['the app could not be built'] }], runs: [] };
  const browsers = await findBrowsers();
  if ('problem' in browsers) return { results: [{ problems: [browsers.problem] }], runs: [] };
  const args = [...files, `--repeat-each=${RUNS}`, `--shuffle=${seed}`];
  const result = await runJourneys(browsers.env, args);
  return { results: [result], runs: result.files.map((run) => ({ ...run, file: `e2e/${run.file}` })) };
}

/**
 * Runs the changed test files ten times in random order next to busy loops: `[commit] [--seed n]`. Returns the exit
 * code: 1 if a run failed or a journey was flaky.
 */
export async function burnIn(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, options: { seed: { type: 'string' } }, allowPositionals: true });
  const commit = positionals[0] ?? (await findBase());
  const seed = Number(values.seed ?? randomInt(MAX_SEED));
  const files = await findChangedTests(commit);
  console.log(`Burn-in of ${files.length} test files that differ from ${commit}, ${RUNS} times, --seed ${seed}`);
  if (files.length === 0) return 0;
  const busy_loops = startBusyLoops(BUSY_LOOPS);
  try {
    const isJourney = (file: string): boolean => file.startsWith('e2e/');
    const vitest = await burnInVitest(
      files.filter((file) => !isJourney(file)),
      seed,
    );
    const journeys = await burnInJourneys(files.filter(isJourney), seed);
    const results = [...vitest.results, ...journeys.results];
    const sums = sumRuns([...vitest.runs, ...journeys.runs]);
    const { report, problems: found } = await judge(results);
    const problems = [...found, ...findUnburnt(files, sums)];
    console.log(`\n${describeReport(report, problems)}\n`);
    console.log(formatBurnIn(sums));
    return problems.length + report.failures.length + report.flaky.length > 0 ? 1 : 0;
  } finally {
    busy_loops.stop();
  }
}
