import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** What a run came to. A file or a worker that broke counts as one failure. */
export type TestReport = { passed: number; skipped: number; failures: Failure[] };

/** `name`: the file and the title of the test; `message`: what was thrown, without colours. */
export type Failure = { name: string; message: string };

/** The parts of Vitest's JSON report that are read (the same as Jest's). */
export type VitestReport = {
  numPassedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
};

/** The parts of Playwright's JSON report that are read. */
export type PlaywrightReport = {
  stats: { expected: number; flaky: number; skipped: number };
  suites: PlaywrightSuite[];
  errors: { message?: string }[];
};

type PlaywrightSuite = {
  suites?: PlaywrightSuite[];
  specs: {
    file: string;
    title: string;
    tests: { status: string; results: { errors: { message?: string }[] }[] }[];
  }[];
};

/** How much of a failure is told at the end of a run; all of it stands where the test ran. */
const MAX_MESSAGE_LINES = 30;

/** `root`: the folder that names of files are told from. */
export function readVitest(report: VitestReport, root: string): TestReport {
  const failures = report.testResults.flatMap((file) => {
    const path = relative(root, file.name);
    const failed = file.assertionResults.filter((test) => test.status === 'failed');
    // A file that does not load fails without a failed test in it.
    if (failed.length === 0 && file.status === 'failed') return [toFailure(path, [file.message])];
    return failed.map((test) => toFailure(`${path} › ${test.fullName}`, test.failureMessages));
  });
  return { passed: report.numPassedTests, skipped: report.numPendingTests + report.numTodoTests, failures };
}

export function readPlaywright({ stats, suites, errors }: PlaywrightReport): TestReport {
  const broken = errors.map(({ message = '' }) => toFailure('outside of any journey', [message]));
  return {
    passed: stats.expected + stats.flaky,
    skipped: stats.skipped,
    failures: [...suites.flatMap(readSuite), ...broken],
  };
}

function readSuite({ suites = [], specs }: PlaywrightSuite): Failure[] {
  const failures = specs.flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected')
      .map(({ results }) => {
        const errors = results.flatMap((result) => result.errors);
        return toFailure(
          `${file} › ${title}`,
          errors.map(({ message = '' }) => message),
        );
      }),
  );
  return [...failures, ...suites.flatMap(readSuite)];
}

function toFailure(name: string, messages: string[]): Failure {
  const lines = stripVTControlCharacters(messages.join('\n')).split('\n');
  return { name, message: lines.slice(0, MAX_MESSAGE_LINES).join('\n') };
}

export function addReports(reports: TestReport[]): TestReport {
  return {
    passed: reports.reduce((sum, { passed }) => sum + passed, 0),
    skipped: reports.reduce((sum, { skipped }) => sum + skipped, 0),
    failures: reports.flatMap(({ failures }) => failures),
  };
}

/** The end of a run: every failure once more, for it may stand thousands of lines above, then the counts. */
export function describeReport({ passed, skipped, failures }: TestReport): string {
  const told = failures.map(({ name, message }) => `Failed: ${name}\n${message.replace(/^/gm, '    ')}\n`);
  const counts = `${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  return [...told, counts].join('\n');
}
