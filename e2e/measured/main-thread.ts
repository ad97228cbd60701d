/** A task of a page's main thread. */
export interface Task {
  /** µs of Chromium's monotonic clock. */
  start_us: number;
  wall_us: number;
  /** Without the time in which other work of the machine had the core. */
  cpu_us: number;
}

export interface MainThread {
  /** The navigation, µs of the same clock. */
  navigation_us: number;
  tasks: Task[];
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
}

/** What a trace must record for `readMainThread`. */
export const TRACED = ['disabled-by-default-devtools.timeline', 'blink.user_timing'];
/** Longer tasks delay the answer to a tap. */
const LONG_US = 50_000;

/** The mark that `watchPage` sets. */
const MARK = 'page-watched';

/**
 * Reads the tasks of the thread that set the mark last. `marked_ms`: when, by the page's own clock. Throws if the trace
 * has no mark.
 */
export function readMainThread(trace: Buffer, marked_ms: number): MainThread {
  const { traceEvents: events } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const mark = events
    .filter(({ name }) => name === MARK)
    .sort((a, b) => a.ts - b.ts)
    .at(-1);
  if (!mark) throw new Error('the trace has no watched page');
  const navigation_us = mark.ts - marked_ms * 1000;
  const isOwn = ({ pid, tid }: TraceEvent) => pid === mark.pid && tid === mark.tid;
  const tasks = events
    .filter((event) => event.name === 'RunTask' && isOwn(event) && event.ts + (event.dur ?? 0) > navigation_us)
    .map(({ ts, dur = 0, tdur = 0 }) => ({ start_us: ts, wall_us: dur, cpu_us: tdur }));
  if (tasks.length === 0) throw new Error('the trace has no tasks');
  return { navigation_us, tasks };
}

/** A task's time beyond 50 ms, in ms of CPU, and the part of the task that counts, in µs of the trace. */
export interface Blocking {
  blocking_ms: number;
  start_us: number;
  end_us: number;
}

/** Returns the tasks that blocked after the first paint. A task during the paint counts from there on. */
export function listBlocking({ navigation_us, tasks }: MainThread, first_paint_ms: number): Blocking[] {
  const paint_us = navigation_us + first_paint_ms * 1000;
  return tasks.flatMap(({ start_us, wall_us, cpu_us }) => {
    const [from_us, end_us] = [Math.max(start_us, paint_us), start_us + wall_us];
    if (wall_us === 0 || end_us <= from_us) return [];
    const counted_us = cpu_us * ((end_us - from_us) / wall_us);
    return counted_us > LONG_US ? [{ blocking_ms: (counted_us - LONG_US) / 1000, start_us: from_us, end_us }] : [];
  });
}

/** As Lighthouse's total blocking time, but by wall-clock time or CPU time. */
export function sumBlocking(thread: MainThread, first_paint_ms: number): { cpu_ms: number; wall_ms: number } {
  const total = (of: MainThread) => listBlocking(of, first_paint_ms).reduce((sum, one) => sum + one.blocking_ms, 0);
  const by_wall = thread.tasks.map((task) => ({ ...task, cpu_us: task.wall_us }));
  return { cpu_ms: total(thread), wall_ms: total({ ...thread, tasks: by_wall }) };
}
