import { judge, type Observation, SPOOFED_ATTEMPTS } from './verdict.ts';

const NAME_WIDTH = 31;
const COLUMNS = ['sign-in', 'stream', 'step', 'message', 'gap', 'export', 'false addresses', 'neighbour', 'result'];
const WIDTHS = [9, 8, 8, 9, 6, 8, 17, 11, 9];

export function printHeading(): void {
  print('set-up', COLUMNS);
}

/** Prints an observation, times in milliseconds, and below it the lines of doctor and the log. */
export function printRow(name: string, seen: Observation): void {
  const { sign_in, stream_ms, step_ms, message_ms, resumed, passed, has_own_count } = seen;
  const attack = passed === undefined ? '–' : `${passed} of ${SPOOFED_ATTEMPTS} pass`;
  const times = [stream_ms, step_ms, message_ms].map((ms) => ms?.toString() ?? 'late');
  const neighbour = has_own_count === undefined ? '–' : has_own_count ? 'free' : 'locked';
  print(name, [say(sign_in), ...times, resumed ?? '', say(seen.export), attack, neighbour, judge(seen)]);
  if (seen.refusal !== undefined) console.log(`     start   ${seen.refusal}`);
  for (const line of seen.doctor) console.log(`     doctor  ${line}`);
  for (const line of seen.log) console.log(`     log     ${line}`);
}

function say(is_fine: boolean | undefined): string {
  return is_fine === undefined ? '–' : is_fine ? 'yes' : 'no';
}

function print(name: string, cells: readonly string[]): void {
  console.log(name.padEnd(NAME_WIDTH) + cells.map((cell, index) => cell.padStart(WIDTHS[index] ?? 8)).join(''));
}
