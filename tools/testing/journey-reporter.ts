import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from '../project/project.ts';
import { addTimes, compareLongestFirst, type JourneyTimes, measureSteps, type Step } from './journey-times.ts';

/** The parts of Playwright's reporter API that are used; the package itself belongs to the journeys' workspace. */
type Attachment = { name: string; path?: string; body?: Buffer };
type Result = {
  status: string;
  duration: number;
  errors: { message?: string }[];
  attachments: Attachment[];
  steps: Step[];
};
export type Journey = {
  location: { file: string };
  annotations: { type: string; description?: string }[];
  results: Result[];
  titlePath(): string[];
  outcome(): 'skipped' | 'expected' | 'unexpected' | 'flaky';
};
/** Playwright has no public API to order files: it builds its queue from `_entries`. */
export type FileSuite = { location?: { file: string } };
type RootSuite = { suites: { suites: FileSuite[]; _entries?: FileSuite[] }[]; allTests(): Journey[] };

/**
 * A journey that did not simply pass: `trace` is relative to the project's folder, `server_log` is the end of the log.
 */
export type JourneyProblem = { name: string; error: string; trace?: string; server_log?: string };

/** A journey under quarantine; `note` only if it failed or needed its rerun. */
export type QuarantinedJourney = { name: string; terms: string; outcome: string; note?: JourneyProblem };

export type JourneyReport = {
  passed: number;
  skipped: number;
  failed: JourneyProblem[];
  flaky: JourneyProblem[];
  quarantined: QuarantinedJourney[];
  /** Errors outside of any journey. */
  errors: string[];
  files: { file: string; runs: number; failures: number; flaky: number; times: JourneyTimes }[];
};

export const QUARANTINE_ANNOTATION = 'quarantine';
export const SERVER_LOG_ATTACHMENT = 'server.log';
const SERVER_LOG_LINES = 30;
const MAX_LINE_LENGTH = 300;
const NO_TIMES: JourneyTimes = { server_ms: 0, sign_up_ms: 0, waiting_ms: 0, acting_ms: 0, total_ms: 0 };

/** The seconds of each file, measured once with `npm test -- e2e --record-times`. */
export const JOURNEY_SECONDS_FILE = join(ROOT, 'tools/journey-seconds.json');

const fileOf = (path: string): string => relative(join(ROOT, 'e2e'), path);

function readServerLog({ path, body }: Attachment): string {
  const text = body?.toString() ?? (path ? readFileSync(path, 'utf8') : '');
  const lines = text.trimEnd().split('\n').slice(-SERVER_LOG_LINES);
  return lines.map((line) => line.slice(0, MAX_LINE_LENGTH)).join('\n');
}

/** The first failed attempt has the error. */
function toJourneyProblem(name: string, { results }: Journey): JourneyProblem {
  const failed = results.find(({ errors }) => errors.length > 0);
  const note: JourneyProblem = { name, error: failed?.errors.map(({ message = '' }) => message).join('\n') ?? '' };
  const trace = failed?.attachments.find((attachment) => attachment.name === 'trace')?.path;
  const server_log = failed?.attachments.find((attachment) => attachment.name === SERVER_LOG_ATTACHMENT);
  if (trace) note.trace = relative(ROOT, trace);
  if (server_log) note.server_log = readServerLog(server_log);
  return note;
}

function nameOf(journey: Journey): string {
  const [, , , ...titles] = journey.titlePath();
  return [`e2e/${fileOf(journey.location.file)}`, ...titles].join(' › ');
}

/** Returns the results of a run's journeys, and where their time went. */
export function reportJourneys(journeys: Journey[], errors: string[]): JourneyReport {
  const report: JourneyReport = { passed: 0, skipped: 0, failed: [], flaky: [], quarantined: [], errors, files: [] };
  const files = new Map<string, JourneyReport['files'][number]>();
  for (const journey of journeys) {
    const name = nameOf(journey);
    const outcome = journey.outcome();
    const is_failed_or_flaky = outcome === 'unexpected' || outcome === 'flaky';
    const quarantine = journey.annotations.find(({ type }) => type === QUARANTINE_ANNOTATION);
    const note = is_failed_or_flaky ? toJourneyProblem(name, journey) : undefined;
    if (quarantine)
      report.quarantined.push({ name, terms: quarantine.description ?? '', outcome, ...(note ? { note } : {}) });
    else if (outcome === 'skipped') report.skipped += 1;
    else if (note && outcome === 'unexpected') report.failed.push(note);
    else report.passed += 1;
    if (note && outcome === 'flaky' && !quarantine) report.flaky.push(note);

    const file = fileOf(journey.location.file);
    const entry = files.get(file) ?? { file, runs: 0, failures: 0, flaky: 0, times: NO_TIMES };
    entry.runs += outcome === 'skipped' ? 0 : 1;
    entry.failures += outcome === 'unexpected' ? 1 : 0;
    entry.flaky += outcome === 'flaky' ? 1 : 0;
    for (const { steps, duration } of journey.results)
      entry.times = addTimes(entry.times, measureSteps(steps, duration));
    files.set(file, entry);
  }
  report.files = [...files.values()].sort((a, b) => b.times.total_ms - a.times.total_ms);
  return report;
}

/** Puts the longest files first. Throws if Playwright no longer stores its files in the expected place. */
export function orderFiles(projects: RootSuite['suites'], seconds: Record<string, number>): void {
  const compare = compareLongestFirst(seconds);
  const nameOfSuite = ({ location }: FileSuite): string => (location ? fileOf(location.file) : '');
  for (const project of projects) {
    if (!Array.isArray(project._entries) || project._entries.length !== project.suites.length)
      throw new Error('This Playwright keeps the files of a project elsewhere: see orderFiles');
    project._entries.sort((a, b) => compare(nameOfSuite(a), nameOfSuite(b)));
  }
}

/** Orders the journeys, then writes their results to the file that JOURNEY_REPORT names. */
export default class JourneyReporter {
  #root: RootSuite | undefined;
  #errors: string[] = [];

  async preprocess({ suite }: { suite: RootSuite }): Promise<void> {
    orderFiles(suite.suites, JSON.parse(readFileSync(JOURNEY_SECONDS_FILE, 'utf8')));
  }

  onBegin(_config: unknown, suite: RootSuite): void {
    this.#root = suite;
  }

  onError({ message = '' }: { message?: string }): void {
    this.#errors.push(message);
  }

  onEnd(): void {
    const path = process.env.JOURNEY_REPORT;
    if (!path) return;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(reportJourneys(this.#root?.allTests() ?? [], this.#errors)));
  }

  printsToStdio(): boolean {
    return false;
  }
}
