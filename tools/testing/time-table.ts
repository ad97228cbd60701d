import type { JourneyReport } from './journey-reporter.ts';
import type { ProjectTimes } from './vitest-times.ts';

/** Wall times in ms. A part that did not run is left out. */
export type RunTimes = {
  parts: { name: string; wall_ms: number }[];
  projects: ProjectTimes[];
  journeys: JourneyReport['files'];
};

const HEADINGS = ['wall', 'tests', 'server', 'sign-up', 'waiting', 'acting'];
const COLUMN_WIDTH = 9;

function formatRow(name: string, width: number, cells: (number | undefined)[]): string {
  const texts = cells.map((ms) => (ms === undefined ? '' : (ms / 1000).toFixed(1)));
  return [name.padEnd(width), ...texts.map((text) => text.padStart(COLUMN_WIDTH))].join('').trimEnd();
}

/**
 * Formats one table of where the time went, in seconds: the parts in the order of the run, then the journeys, longest
 * first.
 */
export function formatTimes({ parts, projects, journeys }: RunTimes): string {
  const rows: [string, (number | undefined)[]][] = [
    ...parts.map(({ name, wall_ms }): [string, number[]] => [name, [wall_ms]]),
    ...projects.map(({ project, wall_ms, tests_ms }): [string, number[]] => [project, [wall_ms, tests_ms]]),
    ...journeys.map(({ file, times }): [string, (number | undefined)[]] => [
      file,
      [undefined, times.total_ms, times.server_ms, times.sign_up_ms, times.waiting_ms, times.acting_ms],
    ]),
  ];
  const width = Math.max('seconds'.length, ...rows.map(([name]) => name.length));
  const heading = ['seconds'.padEnd(width), ...HEADINGS.map((text) => text.padStart(COLUMN_WIDTH))].join('');
  return [heading, ...rows.map(([name, cells]) => formatRow(name, width, cells))].join('\n');
}
