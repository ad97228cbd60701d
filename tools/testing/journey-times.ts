/** The parts of a Playwright step that are used. `duration` in ms, negative while the step runs. */
export type Step = { title: string; category: string; startTime: Date; duration: number; steps: Step[] };

/** Where the time of journeys went, in ms; `total_ms` exceeds the sum of the parts: the rest is the test's own. */
export type JourneyTimes = {
  server_ms: number;
  sign_up_ms: number;
  waiting_ms: number;
  acting_ms: number;
  total_ms: number;
};

/** Parts from the most to the least specific: a moment within steps of several parts counts for the first. */
const PARTS = ['sign_up_ms', 'server_ms', 'waiting_ms', 'acting_ms'] as const;
type Part = (typeof PARTS)[number];

/** The title of the `test.step` around the creation of an account. */
const SIGN_UP_STEP = 'sign up';

type Interval = { start_ms: number; end_ms: number };

function partOf({ title, category }: Step): Part | undefined {
  if (category === 'test.step') return title === SIGN_UP_STEP ? 'sign_up_ms' : undefined;
  if (category === 'fixture' || category === 'hook') return 'server_ms';
  if (category === 'expect') return 'waiting_ms';
  if (category === 'pw:api') return /^wait for/i.test(title) ? 'waiting_ms' : 'acting_ms';
  return undefined;
}

function collectIntervals(steps: Step[], found: Map<Part, Interval[]>): Map<Part, Interval[]> {
  for (const step of steps) {
    const part = partOf(step);
    const start_ms = step.startTime.getTime();
    const interval = { start_ms, end_ms: start_ms + Math.max(0, step.duration) };
    if (part) found.set(part, [...(found.get(part) ?? []), interval]);
    collectIntervals(step.steps, found);
  }
  return found;
}

/** Returns how much time lies in at least one of the intervals. */
function coveredMs(intervals: Interval[]): number {
  let covered_ms = 0;
  let reached_ms = Number.NEGATIVE_INFINITY;
  for (const { start_ms, end_ms } of intervals.toSorted((a, b) => a.start_ms - b.start_ms)) {
    covered_ms += Math.max(0, end_ms - Math.max(start_ms, reached_ms));
    reached_ms = Math.max(reached_ms, end_ms);
  }
  return covered_ms;
}

/** Returns the times of one attempt at a journey. Nested and concurrent steps count each moment once. */
export function measureSteps(steps: Step[], total_ms: number): JourneyTimes {
  const intervals = collectIntervals(steps, new Map());
  const times = { server_ms: 0, sign_up_ms: 0, waiting_ms: 0, acting_ms: 0, total_ms };
  const seen: Interval[] = [];
  for (const part of PARTS) {
    const before_ms = coveredMs(seen);
    seen.push(...(intervals.get(part) ?? []));
    times[part] = coveredMs(seen) - before_ms;
  }
  return { ...times, total_ms: Math.max(total_ms, coveredMs(seen)) };
}

export function addTimes(a: JourneyTimes, b: JourneyTimes): JourneyTimes {
  return {
    server_ms: a.server_ms + b.server_ms,
    sign_up_ms: a.sign_up_ms + b.sign_up_ms,
    waiting_ms: a.waiting_ms + b.waiting_ms,
    acting_ms: a.acting_ms + b.acting_ms,
    total_ms: a.total_ms + b.total_ms,
  };
}

/** Orders files by their known seconds, longest first; unknown ones go before them, ties are ordered by name. */
export function compareLongestFirst(seconds: Record<string, number>): (a: string, b: string) => number {
  const secondsOf = (file: string): number => seconds[file] ?? Number.MAX_SAFE_INTEGER;
  return (a, b) => secondsOf(b) - secondsOf(a) || a.localeCompare(b);
}
