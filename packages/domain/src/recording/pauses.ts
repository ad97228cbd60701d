import { type ClockMeasurement, type ClockNote, estimateTime, nearestTime } from './clock-correction.ts';

/** A moment as the device noted it. */
export interface NotedMoment {
  /** ms epoch: the server's time, as far as the device knew it. */
  at_ms: number;
  /** Set if that may be wrong; the next measurement of the clock corrects it. */
  clock?: ClockNote;
}

/** One pause of a running activity, as its device notes it; `until` null: the activity is paused. */
export interface Pause {
  since: NotedMoment;
  until: NotedMoment | null;
}

/** ms epoch. */
interface Span {
  started_at: number;
  ended_at: number;
}

export function isPaused(pauses: readonly Pause[]): boolean {
  return pauses.at(-1)?.until === null;
}

/** Returns the pauses with one that begins now; unchanged if the activity is paused already. */
export function beginPause(pauses: readonly Pause[], since: NotedMoment): Pause[] {
  return isPaused(pauses) ? [...pauses] : [...pauses, { since, until: null }];
}

/** Returns the pauses, the open one ended. */
export function endPause(pauses: readonly Pause[], until: NotedMoment): Pause[] {
  return pauses.map((pause) => (pause.until === null ? { ...pause, until } : pause));
}

/**
 * Returns how long the pauses lasted between start and end, ms: at most that time, whatever the clocks said. An open
 * pause lasts until the end, and a moment in two pauses counts once.
 */
export function pausedMs(pauses: readonly Pause[], { started_at, ended_at }: Span): number {
  const spans = pauses
    .map(({ since, until }) => ({
      from: Math.max(started_at, since.at_ms),
      to: Math.min(ended_at, until?.at_ms ?? ended_at),
    }))
    .sort((a, b) => a.from - b.from);
  let paused_ms = 0;
  let counted_until = started_at;
  for (const { from, to } of spans) {
    paused_ms += Math.max(0, to - Math.max(from, counted_until));
    counted_until = Math.max(counted_until, to);
  }
  return paused_ms;
}

/** Returns `pausedMs` in whole seconds, as a finish carries it; never more than the time from start to end. */
export function pausedSeconds(pauses: readonly Pause[], span: Span): number {
  return Math.min(
    Math.round(pausedMs(pauses, span) / 1000),
    Math.max(0, Math.floor((span.ended_at - span.started_at) / 1000)),
  );
}

/** Returns whether a moment of the pauses may be wrong. */
export function isInDoubt(pauses: readonly Pause[]): boolean {
  return pauses.some(({ since, until }) => since.clock !== undefined || until?.clock !== undefined);
}

/** Returns the pauses with the moments whose clock was in doubt corrected; an unknown one to the nearest possible time. */
export function correctPauses(pauses: readonly Pause[], after: ClockMeasurement): Pause[] {
  return pauses.map(({ since, until }) => ({
    since: correctMoment(since, after),
    until: until && correctMoment(until, after),
  }));
}

function correctMoment(noted: NotedMoment, after: ClockMeasurement): NotedMoment {
  if (!noted.clock) return noted;
  const time = estimateTime(noted.clock.moment, noted.clock.before, after);
  return { at_ms: time.kind === 'known' ? time.at_ms : nearestTime(time, noted.at_ms) };
}
