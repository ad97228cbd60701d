import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { capture, REPORTS_DIR } from '../project/project.ts';
import type { JourneyReport } from '../testing/journey-reporter.ts';
import { readReport } from '../testing/run-vitest.ts';
import { checkCount, checkQuarantine } from './quarantine.ts';

const report_path = join(REPORTS_DIR, 'listed-journeys.json');
mkdirSync(REPORTS_DIR, { recursive: true });
rmSync(report_path, { force: true });
process.env.JOURNEY_REPORT = report_path;

// Playwright itself lists the journeys, without a browser or a server.
const { ok, output } = await capture(process.execPath, [
  'node_modules/@playwright/test/cli.js',
  'test',
  '-c',
  'e2e/playwright.config.ts',
  '--list',
  '--reporter=./tools/testing/journey-reporter.ts',
]);
/** A journey that is only listed counts as skipped, unless it is under quarantine. */
const countListed = ({ skipped, quarantined }: JourneyReport): number => skipped + quarantined.length;

const report = readReport<JourneyReport>(report_path);
const problems =
  ok && report
    ? [...checkQuarantine(report.quarantined, Date.now()), ...checkCount(countListed(report))]
    : [`The journeys cannot be listed.\n${output}`];
for (const problem of problems) console.log(problem);
if (problems.length > 0) process.exitCode = 1;
