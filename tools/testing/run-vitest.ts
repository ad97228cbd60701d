import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { COMPILE_CACHE, REPORTS_DIR, ROOT, run } from '../project/project.ts';
import { readVitest, type TestReport, type VitestReport } from './test-report.ts';
import type { ProjectTimes } from './vitest-times.ts';

/** The result of a part of a test run; `problems` are reasons to fail that no test shows. */
export type PartResult = { report?: TestReport; problems: string[] };

/** Reads a test runner's report; undefined if the runner ended before it could write one. */
export function readReport<Report>(path: string): Report | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Report) : undefined;
}

export function toPartResult(name: string, code: number, report: TestReport | undefined): PartResult {
  if (!report) return { problems: [`${name} ended before it could report`] };
  const { passed, failures, quarantined } = report;
  if (passed + failures.length + quarantined.length === 0) return { report, problems: [`${name} ran no test`] };
  const is_explained = code === 0 || failures.length > 0 || quarantined.some(({ outcome }) => outcome === 'unexpected');
  return { report, problems: is_explained ? [] : [`${name} ended with code ${code}`] };
}

/** Runs a project, or all of them; passes further arguments on, both filters and options. */
export async function runVitest(
  project: string | undefined,
  args: string[],
): Promise<PartResult & { projects: ProjectTimes[]; files: { file: string; is_failed: boolean }[] }> {
  const report_path = join(REPORTS_DIR, 'vitest.json');
  const times_path = join(REPORTS_DIR, 'vitest-times.json');
  for (const path of [report_path, times_path]) rmSync(path, { force: true });
  const reporters = ['default', 'json', 'tools/testing/vitest-reporter.ts'].map((name) => `--reporter=${name}`);
  const cli = ['node_modules/vitest/vitest.mjs', 'run', ...reporters, `--outputFile.json=${report_path}`];
  const selected = project ? ['--project', project] : [];
  // Each file of some projects has a process, and so has each server that a test starts.
  const env = { VITEST_TIMES: times_path, NODE_COMPILE_CACHE: COMPILE_CACHE };
  const code = await run(process.execPath, [...cli, ...selected, ...args], env);
  const report = readReport<VitestReport>(report_path);
  const files = report?.testResults ?? [];
  return {
    ...toPartResult('vitest', code, report && readVitest(report, ROOT)),
    projects: readReport<ProjectTimes[]>(times_path) ?? [],
    files: files.map(({ name, status }) => ({ file: relative(ROOT, name), is_failed: status === 'failed' })),
  };
}
