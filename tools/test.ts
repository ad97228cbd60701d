import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildWebIfChanged } from './build-web.ts';
import { findOrInstallChromium } from './chromium.ts';
import { ROOT, run } from './project.ts';
import { addCounts, type Counts, countPlaywright, countVitest, describeCounts } from './test-counts.ts';

const PARTS = ['check', 'unit', 'api', 'e2e'] as const;
type Part = (typeof PARTS)[number];

const REPORTS = join(ROOT, '.cache/reports');
const node = (args: string[], env?: NodeJS.ProcessEnv): Promise<number> => run(process.execPath, args, env);

/** What a part came to: `problems` are reasons to fail that no test stands for. */
type Result = { counts: Counts[]; problems: string[] };

function readReport<Report>(path: string, count: (report: Report) => Counts): Counts | undefined {
  try {
    return count(JSON.parse(readFileSync(path, 'utf8')) as Report);
  } catch {
    return undefined;
  }
}

function toResult(name: string, code: number, counts: Counts | undefined): Result {
  if (!counts) return { counts: [], problems: [`${name} ended before it could report`] };
  if (counts.passed + counts.failed === 0) return { counts: [counts], problems: [`${name} ran no test`] };
  const unexplained = code !== 0 && counts.failed === 0;
  return { counts: [counts], problems: unexplained ? [`${name} ended with code ${code}`] : [] };
}

async function runVitest(projects: Part[], filters: string[]): Promise<Result> {
  const report = join(REPORTS, 'vitest.json');
  rmSync(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const selected = projects.flatMap((name) => ['--project', name]);
  const code = await node(['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...selected, ...filters]);
  return toResult('vitest', code, readReport(report, countVitest));
}

async function runJourneys(filters: string[]): Promise<Result> {
  if (!(await buildWebIfChanged()))
    return { counts: [], problems: ['the journeys did not run: the web app could not be built'] };
  const chromium = await findOrInstallChromium();
  if ('missing' in chromium) {
    return {
      counts: [],
      problems: [`the journeys did not run, they need a Chromium. This brings one:\n\n  ${chromium.missing}\n`],
    };
  }
  const report = join(REPORTS, 'playwright.json');
  rmSync(report, { force: true });
  const env = { CHROMIUM_PATH: chromium.executablePath, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const cli = [
    'node_modules/@playwright/test/cli.js',
    'test',
    '-c',
    'e2e/playwright.config.ts',
    '--reporter=list,json',
  ];
  const code = await node([...cli, ...filters], env);
  return toResult('playwright', code, readReport(report, countPlaywright));
}

async function runCheck(): Promise<Result> {
  const code = await node(['tools/check.ts']);
  return { counts: [], problems: code === 0 ? [] : ['npm run check failed'] };
}

async function runParts(part: Part | undefined, filters: string[]): Promise<Result[]> {
  if (part === 'check') return [await runCheck()];
  if (part === 'e2e') return [await runJourneys(filters)];
  if (part) return [await runVitest([part], filters)];
  return [await runCheck(), await runVitest(['unit', 'api'], []), await runJourneys([])];
}

const [part, ...filters] = process.argv.slice(2);
if (part !== undefined && !PARTS.includes(part as Part)) {
  console.error(`Usage: npm test [-- ${PARTS.join('|')} [filter …]]`);
  process.exit(2);
}
mkdirSync(REPORTS, { recursive: true });
const results = await runParts(part as Part | undefined, filters);
const problems = results.flatMap((result) => result.problems);
const counts = addCounts(results.flatMap((result) => result.counts));
console.log('');
for (const problem of problems) console.log(`Not in order: ${problem}`);
if (part !== 'check') console.log(describeCounts(counts));
if (problems.length > 0 || counts.failed > 0) process.exitCode = 1;
