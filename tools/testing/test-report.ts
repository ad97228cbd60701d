import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { JourneyProblem, JourneyReport } from './journey-reporter.ts';

/** The results of a run. A broken file or worker counts as one failure; flaky tests count as passed. */
export type TestReport = {
  passed: number;
  skipped: number;
  failures: Failure[];
  flaky: Failure[];
  quarantined: { name: string; outcome: string; terms: string; message: string }[];
};

/** `name`: the file and the title of the test; `message`: the thrown error, without colours. */
export type Failure = { name: string; message: string };

/** More flaky journeys than this fail a run. */
const MAX_FLAKY = 3;

/** The parts of Vitest's JSON report that are used (the same as Jest's). */
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

/** Lines of an error that the end of a run repeats; the whole error is where the test ran. */
const MAX_MESSAGE_LINES = 30;

/** `root`: the folder to which file names are relative. */
export function readVitest(report: VitestReport, root: string): TestReport {
  const failures = report.testResults.flatMap((file) => {
    const path = relative(root, file.name);
    const failed = file.assertionResults.filter((test) => test.status === 'failed');
    // A file that does not load fails without a failed test in it.
    if (failed.length === 0 && file.status === 'failed') return [toFailure(path, [file.message])];
    return failed.map((test) => toFailure(`${path} › ${test.fullName}`, test.failureMessages));
  });
  return {
    passed: report.numPassedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    failures,
    flaky: [],
    quarantined: [],
  };
}

export function readJourneys({ passed, skipped, failed, flaky, quarantined, errors }: JourneyReport): TestReport {
  const broken = errors.map((message) => toFailure('outside of any journey', [message]));
  return {
    passed,
    skipped,
    failures: [...failed.map(toJourneyFailure), ...broken],
    flaky: flaky.map(toJourneyFailure),
    quarantined: quarantined.map(({ name, outcome, terms, note }) => ({
      name,
      outcome,
      terms,
      message: note ? toJourneyFailure(note).message : '',
    })),
  };
}

/** Adds below the error: the path of the trace, and the end of the server's log. */
function toJourneyFailure({ name, error, trace, server_log }: JourneyProblem): Failure {
  const { message } = toFailure(name, [error]);
  const trace_lines = trace ? [`trace: ${trace}`] : [];
  const log_lines = server_log ? ['end of the server log:', stripVTControlCharacters(server_log)] : [];
  return { name, message: [message, ...trace_lines, ...log_lines].join('\n') };
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
    flaky: reports.flatMap(({ flaky }) => flaky),
    quarantined: reports.flatMap(({ quarantined }) => quarantined),
  };
}

/** Returns why a run fails although each test passed in the end; empty if it does not. */
export function findFlakyProblems({ flaky }: TestReport): string[] {
  return flaky.length > MAX_FLAKY ? [`${flaky.length} journeys were flaky, ${MAX_FLAKY} are allowed`] : [];
}

const indent = (message: string): string => message.replace(/^/gm, '    ');
const describeFailure = (kind: string, { name, message }: Failure): string => `${kind}: ${name}\n${indent(message)}\n`;

/**
 * Formats the end of a run: repeats everything that needs a look, which may be thousands of lines above; the counts are
 * the last line.
 */
export function describeReport(
  { passed, skipped, failures, flaky, quarantined }: TestReport,
  problems: string[],
): string {
  const quarantine_lines = quarantined.map(({ name, outcome, terms, message }) =>
    describeFailure(`Quarantined, ${outcome}`, { name, message: [terms, message].filter(Boolean).join('\n') }),
  );
  const flaky_lines = flaky.map((failure) => describeFailure('Flaky, passed in its rerun', failure));
  const failed = failures.map((failure) => describeFailure('Failed', failure));
  const flaky_count = flaky.length > 0 ? [`${flaky.length} flaky, counted as passed\n`] : [];
  const problem_lines = problems.map((problem) => `Problem: ${problem}`);
  const counts = `${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  return [...quarantine_lines, ...flaky_lines, ...failed, ...flaky_count, ...problem_lines, counts].join('\n');
}
