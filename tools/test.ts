import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BEFORE_JOURNEYS, checkCount, checkQuarantine } from './check/quarantine.ts';
import { buildIfChanged } from './project/build.ts';
import { REPORTS_DIR, ROOT, run } from './project/project.ts';
import { burnIn } from './testing/burn-in.ts';
import { judge } from './testing/judge.ts';
import { findBrowsers, recordSeconds, runJourneys } from './testing/run-journeys.ts';
import { type PartResult, runVitest } from './testing/run-vitest.ts';
import { describeReport } from './testing/test-report.ts';
import { formatTimes, type RunTimes } from './testing/time-table.ts';

const PARTS = ['check', 'unit', 'web', 'screens', 'api', 'e2e'] as const;
type Part = (typeof PARTS)[number];

const USAGE = `Usage: npm test [-- ${PARTS.join('|')} [filter …]]
       npm test -- e2e --record-times   keeps how long each journey file took, for the order of later runs
       npm test -- --burn [commit] [--seed n]   the test files that differ from the commit, ten times, beside two busy loops`;

const SET_UP = 'set-up';

const times: RunTimes = { parts: [], projects: [], journeys: [] };

async function timed<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const started_at = performance.now();
  try {
    return await work();
  } finally {
    times.parts.push({ name, wall_ms: performance.now() - started_at });
  }
}

async function runCheck(...options: string[]): Promise<PartResult> {
  const code = await timed('check', () => run(process.execPath, ['tools/check.ts', ...options]));
  return { problems: code === 0 ? [] : ['npm run check failed'] };
}

async function runProjects(project: string | undefined, filters: string[]): Promise<PartResult> {
  const result = await timed('vitest', () => runVitest(project, filters));
  times.projects = result.projects;
  return result;
}

const findBrowsersTimed = () => timed('browsers', findBrowsers);
const buildTimed = () => timed('build', buildIfChanged);
type Browsers = Awaited<ReturnType<typeof findBrowsers>>;

async function runBrowserTests(browsers: Browsers, build: () => Promise<boolean>, args: string[]): Promise<PartResult> {
  if ('problem' in browsers) return { problems: [browsers.problem] };
  if (!(await build())) return { problems: ['the journeys did not run: the app could not be built'] };
  const is_recorded = args.includes('--record-times');
  const filters = args.filter((arg) => arg !== '--record-times');
  const result = await timed('journeys', () => runJourneys(browsers.env, filters));
  times.journeys = result.files;
  if (result.report) {
    const { passed, skipped, failures, quarantined } = result.report;
    // A journey can put itself under quarantine while it runs, unseen by `npm run check`.
    result.problems.push(...checkQuarantine(quarantined, Date.now()));
    const count = passed + skipped + failures.length + quarantined.length;
    // Options of Playwright can repeat journeys.
    if (filters.length === 0) result.problems.push(...checkCount(count));
  }
  if (is_recorded) recordSeconds(result.files);
  return result;
}

async function runParts(part: Part | undefined, args: string[]): Promise<PartResult[]> {
  if (part === 'check') return [await runCheck()];
  if (part === 'e2e') return [await runBrowserTests(await findBrowsersTimed(), buildTimed, args)];
  if (part) return [await runProjects(part, args)];
  // Each of them alone would leave a core idle: a fresh machine's browsers wait for the network, the map is cut by one
  // process, and the check's slowest tool ends alone.
  const built = buildTimed();
  const [check, browsers] = await Promise.all([runCheck(BEFORE_JOURNEYS), findBrowsersTimed(), built]);
  return [check, await runProjects(undefined, []), await runBrowserTests(browsers, () => built, [])];
}

/** The set-up ran before this program and wrote its duration. */
function readSetupTime(): RunTimes['parts'] {
  const path = join(ROOT, '.cache/setup-ms');
  return existsSync(path) ? [{ name: SET_UP, wall_ms: Number(readFileSync(path, 'utf8')) }] : [];
}

async function main([first, ...args]: string[]): Promise<void> {
  mkdirSync(REPORTS_DIR, { recursive: true });
  if (first === '--burn') {
    process.exitCode = await burnIn(args);
    return;
  }
  if (first !== undefined && !PARTS.includes(first as Part)) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  times.parts = readSetupTime();
  const started_at = performance.now();
  const results = await runParts(first as Part | undefined, args);
  const setup_ms = times.parts[0]?.name === SET_UP ? times.parts[0].wall_ms : 0;
  times.parts.push({ name: 'whole run', wall_ms: setup_ms + performance.now() - started_at });
  const { report, problems } = await judge(results);
  writeFileSync(join(REPORTS_DIR, 'times.json'), JSON.stringify(times, null, 2));
  console.log(`\n${formatTimes(times)}\n`);
  if (first !== 'check') console.log(describeReport(report, problems));
  else for (const problem of problems) console.log(`Problem: ${problem}`);
  if (problems.length > 0 || report.failures.length > 0) process.exitCode = 1;
}

await main(process.argv.slice(2));
