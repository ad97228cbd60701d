import type { Arm } from './run-arm.ts';

/** Far above the goals, as other programs may share the machine: longer is no slow machine, but a fault. */
const MOST_SPAN_MS = 10_000;

/** Returns what must not happen on any machine, for people. */
export function findFaults({ rolling, kill, database, streams, lost, doubled, unheard }: Arm): string[] {
  // A proxy that finds no node ready answers 503 itself, without Retry-After.
  const not_503 = database.failures.filter(({ kind }) => kind !== '503');
  const isTooLong = (span_ms: number) => (span_ms > MOST_SPAN_MS ? (span_ms / 1000).toFixed(1) : 0);
  return [
    [rolling.failures.length, 'failed in rolling restarts'],
    [isTooLong(kill.span_ms), 's of errors after kill -9'],
    [isTooLong(database.span_ms), 's until requests succeeded after PostgreSQL was back'],
    [not_503.length, 'failures of a restart of PostgreSQL were no 503'],
    [lost + doubled, 'writes lost or doubled'],
    [unheard + streams.missed, 'events missed'],
    [streams.cut, 'streams cut, and not ended'],
  ].flatMap(([count, words]) => (count === 0 ? [] : [`${count} ${words}`]));
}
