import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findOrInstallChromium, findOrInstallShell } from '../project/chromium.ts';
import { REPORTS_DIR, ROOT, run } from '../project/project.ts';
import { JOURNEY_SECONDS_FILE, type JourneyReport } from './journey-reporter.ts';
import { type PartResult, readReport, toPartResult } from './run-vitest.ts';
import { readJourneys } from './test-report.ts';

/** Returns the settings that name the browsers of the journeys, or the problem that keeps them from running. */
export async function findBrowsers(): Promise<{ env: NodeJS.ProcessEnv } | { problem: string }> {
  const chromium = await findOrInstallChromium();
  if ('missing' in chromium)
    return { problem: `the journeys did not run, they need a Chromium. This brings one:\n\n  ${chromium.missing}\n` };
  const shell = await findOrInstallShell();
  return { env: { CHROMIUM_PATH: chromium.executablePath, ...(shell ? { CHROMIUM_SHELL_PATH: shell } : {}) } };
}

/** Runs the journeys whose file or title the arguments name; passes options on to Playwright. */
export async function runJourneys(
  env: NodeJS.ProcessEnv,
  args: string[],
): Promise<PartResult & { files: JourneyReport['files'] }> {
  const report_path = join(REPORTS_DIR, 'journeys.json');
  rmSync(report_path, { force: true });
  const cli = ['node_modules/@playwright/test/cli.js', 'test', '-c', 'e2e/playwright.config.ts'];
  const code = await run(process.execPath, [...cli, ...args], { ...env, JOURNEY_REPORT: report_path });
  const report = readReport<JourneyReport>(report_path);
  return { ...toPartResult('playwright', code, report && readJourneys(report)), files: report?.files ?? [] };
}

/** Saves the seconds of the files that ran, for the order of later runs, and drops files that no longer exist. */
export function recordSeconds(files: JourneyReport['files']): void {
  const seconds = JSON.parse(readFileSync(JOURNEY_SECONDS_FILE, 'utf8')) as Record<string, number>;
  for (const { file, times } of files) seconds[file] = Math.round(times.total_ms / 1000);
  const existing = Object.entries(seconds).filter(([file]) => existsSync(join(ROOT, 'e2e', file)));
  existing.sort(([a], [b]) => a.localeCompare(b));
  writeFileSync(JOURNEY_SECONDS_FILE, `${JSON.stringify(Object.fromEntries(existing), null, 2)}\n`);
}
