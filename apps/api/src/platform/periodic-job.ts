import { job_runs, started_jobs } from './measurements.ts';

export interface PeriodicJob {
  /** Runs the work once, now. Returns the number of items it processed. Throws what the work throws. */
  run(): Promise<number>;
  /** Runs the work now and after each interval; a failed run is logged, and the next one catches up. */
  start(): void;
  /** Stops the runs, and waits for the current one. */
  close(): Promise<void>;
}

interface PeriodicJobOptions {
  /** Of the job, in the metrics. */
  name: string;
  interval_ms: number;
  /** Returns the number of items it processed. */
  work: () => Promise<number>;
  /** Called after a scheduled run that processed items. */
  onDone?: (count: number) => void;
  log: { warn(fields: object, text: string): void };
  /** The log message of a failed run. */
  failure_message: string;
}

/** A background job, one run at a time. */
export function createPeriodicJob({
  name,
  interval_ms,
  work,
  onDone,
  log,
  failure_message,
}: PeriodicJobOptions): PeriodicJob {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let is_closed = false;

  const runAndReschedule = async () => {
    const begun_at = performance.now();
    let has_failed = false;
    try {
      const count = await work();
      if (count > 0) onDone?.(count);
    } catch (error) {
      has_failed = true;
      log.warn({ err: error }, failure_message);
    }
    job_runs.report({ job: name, duration_ms: performance.now() - begun_at, has_failed });
    if (is_closed) return;
    timer = setTimeout(() => {
      running = runAndReschedule();
    }, interval_ms).unref();
  };
  return {
    run: work,
    start() {
      started_jobs.report({ job: name });
      running = runAndReschedule();
    },
    async close() {
      is_closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
