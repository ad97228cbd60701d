import { localDate } from '../../packages/domain/src/dates.ts';
import { MIN_CLOCK_MOVE_MS } from '../../packages/domain/src/recording/clock-correction.ts';
import { allowedStates, type Entry, type NotedStep, type TimeSpan } from './notebook.ts';
import type { ServerRows } from './server-rows.ts';
import type { DamageReport, Leavings } from './verdict.ts';

type ActivityRow = ServerRows['activities'][number];

/** Counts what has arrived otherwise than it was entered. */
export function countAltered({ notebook, server, phones }: Leavings, report: DamageReport): void {
  const has_two_phones = phones.length > 1;
  for (const row of server.activities) {
    const steps = notebook.activities.get(row.id)?.steps;
    const differences = steps
      ? [...differencesOfStart(row, steps), ...differencesOfFinish(row, steps, has_two_phones)]
      : differencesOfUnseen(row, notebook.unseen_starts.get(row.user_id) ?? []);
    for (const difference of differences) report.add('altered', `activity ${row.id}: ${difference}`);
  }
  judgeTexts({ notebook, server }, report);
  judgeOrder({ notebook, server }, report);
}

/** A start that the app never showed is one of those. */
function differencesOfUnseen(row: ActivityRow, unseen: readonly Entry[]): string[] {
  const differences = unseen.map((entry) => differencesOf(row, entry));
  return differences.some((found) => found.length === 0) ? [] : (differences[0] ?? []);
}

function differencesOfStart(row: ActivityRow, steps: readonly NotedStep[]): string[] {
  const start = steps.find(({ step }) => step === 'start');
  // Of an activity that was deleted before it was sent, no time matters.
  return start && row.status !== 'deleted' ? differencesOf(row, start.entry) : [];
}

function differencesOf(row: ActivityRow, { at, center_id, sport_type }: Entry): string[] {
  return [
    ...differenceOfTime('started at', row.started_at, at),
    ...(at ? differenceOfDay(row, at) : []),
    ...differenceOfFact('center', row.sport_center_id, center_id),
    ...differenceOfFact('sport', row.sport_type, sport_type),
  ];
}

/** Of two phones that finish one activity, either may come first. */
function differencesOfFinish(row: ActivityRow, steps: readonly NotedStep[], has_two_phones: boolean): string[] {
  if (row.status !== 'finished') return [];
  const finishes = has_two_phones
    ? steps.filter(({ step }) => step === 'finish').map(({ entry }) => entry)
    : allowedStates(steps).flatMap(({ status, finish }) => (status === 'finished' && finish ? finish : []));
  const differences = finishes.map(({ at, distance_m }) => [
    ...differenceOfTime('ended at', row.ended_at, at),
    ...differenceOfFact('distance', row.distance_m, distance_m),
  ]);
  return differences.some((found) => found.length === 0) ? [] : (differences.at(-1) ?? []);
}

/** Returns whether an activity with these steps may have had these times, ISO 8601. */
export function isRightTime(
  { started_at, ended_at }: { started_at: string; ended_at: string | null },
  steps: readonly NotedStep[],
): boolean {
  const isAt = (time: string, { at }: Entry) => differenceOfTime('', new Date(time), at).length === 0;
  const of = (kind: string) => steps.filter(({ step }) => step === kind).map(({ entry }) => entry);
  return (
    of('start').some((start) => isAt(started_at, start)) &&
    (ended_at === null || of('finish').some((finish) => isAt(ended_at, finish)))
  );
}

/** A device's clock that is wrong by less than a minute is not corrected. */
function differenceOfTime(name: string, found: Date | null, expected: TimeSpan | undefined): string[] {
  if (!expected || !found) return [];
  const is_right =
    found.getTime() >= expected.from_ms - MIN_CLOCK_MOVE_MS && found.getTime() <= expected.until_ms + MIN_CLOCK_MOVE_MS;
  return is_right ? [] : [`${name} ${found.toISOString()} instead of ${new Date(expected.from_ms).toISOString()}`];
}

function differenceOfDay({ local_date, time_zone }: ActivityRow, { from_ms, until_ms }: TimeSpan): string[] {
  const days = [from_ms - MIN_CLOCK_MOVE_MS, until_ms + MIN_CLOCK_MOVE_MS].map((at) => localDate(at, time_zone));
  return days.includes(local_date) ? [] : [`on ${local_date} instead of ${days[0]}`];
}

function differenceOfFact(name: string, found: unknown, expected: unknown): string[] {
  return expected === undefined || found === expected ? [] : [`${name} ${found} instead of ${expected}`];
}

/** No other text of those who wrote may be there. */
function judgeTexts({ notebook, server }: Pick<Leavings, 'notebook' | 'server'>, report: DamageReport): void {
  const writers = new Set([...notebook.messages.values()].map(({ user_id }) => user_id));
  for (const { sender_id, text } of server.messages)
    if (writers.has(sender_id) && !notebook.messages.has(text))
      report.add('altered', `message "${text}" was never written`);
}

/** The messages that a user wrote on one phone stay in order. */
function judgeOrder({ notebook, server }: Pick<Leavings, 'notebook' | 'server'>, report: DamageReport): void {
  const positions = new Map(server.messages.map(({ text }, position) => [text, position]));
  for (const written of Map.groupBy(notebook.messages, ([, { writer }]) => writer).values()) {
    const found = written.flatMap(([text]) => positions.get(text) ?? []);
    found.forEach((position, at) => {
      if (position < (found[at - 1] ?? -1))
        report.add(
          'altered',
          `message "${server.messages[position]?.text}" comes before an earlier one of the same phone`,
        );
    });
  }
}
