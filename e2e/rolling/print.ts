import type { Failure } from './callers.ts';
import type { Arm, Phase } from './run-arm.ts';

const COLUMNS = ['phase', 'faults', 'requests', 'failed', 'last failure', 'slowest'];
const WIDTHS = [12, 8, 10, 8, 14, 10];

export function printHeading(): void {
  line('proxy', COLUMNS);
}

/** Prints the phases, with the kinds of failures, and below them the streams and the writes. */
export function print(name: string, arm: Arm): void {
  const { rolling, kill, database, streams } = arm;
  for (const [phase_name, phase] of Object.entries({ restarts: rolling, 'kill -9': kill, PostgreSQL: database }))
    if (phase.faults > 0) printPhase(name, phase_name, phase);
  const { streams: opened, ended, cut, longest_gap_ms, missed } = streams;
  console.log(
    `     streams  ${opened} opened, ${ended} ended by the server, ${cut} cut; ${longest_gap_ms.toFixed(0)} ms without one at most; ${missed} gaps in the events`,
  );
  console.log(
    `     writes   ${arm.acknowledged} acknowledged, ${arm.lost} lost, ${arm.doubled} doubled; ${arm.unheard} messages without an event`,
  );
}

function printPhase(
  name: string,
  phase_name: string,
  { faults, requests, failures, span_ms, slowest_ms }: Phase,
): void {
  const figures = [faults, requests, failures.length].map(String);
  line(name, [phase_name, ...figures, `${span_ms.toFixed(0)} ms`, `${slowest_ms.toFixed(0)} ms`]);
  for (const [kind, count] of countKinds(failures)) console.log(`     ${String(count).padStart(5)} × ${kind}`);
}

function countKinds(failures: Failure[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, request, has_retry_after } of failures) {
    const key = `${kind}${has_retry_after ? ' with Retry-After' : ''} for a ${request}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function line(name: string, cells: readonly string[]): void {
  console.log(name.padEnd(10) + cells.map((cell, nth) => cell.padStart(WIDTHS[nth] ?? 8)).join(''));
}
