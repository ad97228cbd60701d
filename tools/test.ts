import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildWebIfChanged } from './build-web.ts';
import { findOrInstallChromium, findOrInstallShell } from './chromium.ts';
import { ROOT, run } from './project.ts';
import { addReports, describeReport, readPlaywright, readVitest, type TestReport } from './test-report.ts';

const PARTS = ['check', 'unit', 'api', 'e2e'] as const;
type Part = (typeof PARTS)[number];

const REPORTS = join(ROOT, '.cache/reports');
const node = (args: string[], env?: NodeJS.ProcessEnv): Promise<number> => run(process.execPath, args, env);

/** What a part came to: `problems` are reasons to fail that no test stands for. */
type Result = { reports: TestReport[]; problems: string[] };

function readReport<Report>(path: string, read: (report: Report, root: string) => TestReport): TestReport | undefined {
  try {
    return read(JSON.parse(readFileSync(path, 'utf8')) as Report, ROOT);
  } catch {
    return undefined;
  }
}

function toResult(name: string, code: number, report: TestReport | undefined): Result {
  if (!report) return { reports: [], problems: [`${name} ended before it could report`] };
  const { passed, failures } = report;
  if (passed + failures.length === 0) return { reports: [report], problems: [`${name} ran no test`] };
  const unexplained = code !== 0 && failures.length === 0;
  return { reports: [report], problems: unexplained ? [`${name} ended with code ${code}`] : [] };
}

async function runVitest(projects: Part[], filters: string[]): Promise<Result> {
  const report = join(REPORTS, 'vitest.json');
  rmSync(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const selected = projects.flatMap((name) => ['--project', name]);
  const code = await node(['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...selected, ...filters]);
  return toResult('vitest', code, readReport(report, readVitest));
}

async function runJourneys(filters: string[]): Promise<Result> {
  if (!(await buildWebIfChanged()))
    return { reports: [], problems: ['the journeys did not run: the web app could not be built'] };
  const chromium = await findOrInstallChromium();
  if ('missing' in chromium) {
    return {
      reports: [],
      problems: [`the journeys did not run, they need a Chromium. This brings one:\n\n  ${chromium.missing}\n`],
    };
  }
  const report = join(REPORTS, 'playwright.json');
  rmSync(report, { force: true });
  const shell = await findOrInstallShell();
  const env = {
    CHROMIUM_PATH: chromium.executablePath,
    ...(shell ? { CHROMIUM_SHELL_PATH: shell } : {}),
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  };
  const cli = [
    'node_modules/@playwright/test/cli.js',
    'test',
    '-c',
    'e2e/playwright.config.ts',
    '--reporter=list,json',
  ];
  const code = await node([...cli, ...filters], env);
  return toResult('playwright', code, readReport(report, readPlaywright));
}

async function runCheck(): Promise<Result> {
  const code = await node(['tools/check.ts']);
  return { reports: [], problems: code === 0 ? [] : ['npm run check failed'] };
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
const report = addReports(results.flatMap((result) => result.reports));
console.log('');
for (const problem of problems) console.log(`Not in order: ${problem}`);
if (part !== 'check') console.log(describeReport(report));
if (problems.length > 0 || report.failures.length > 0) process.exitCode = 1;
