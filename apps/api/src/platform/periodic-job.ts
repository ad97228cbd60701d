export interface PeriodicJob {
  /** Does the work once, now; gives how many it found. Throws what the work throws. */
  run(): Promise<number>;
  /** Works now and then again and again; a run that fails is logged, and made up for by the next. */
  start(): void;
  /** Ends the runs, and waits for one that is under way. */
  close(): Promise<void>;
}

interface PeriodicJobOptions {
  interval_ms: number;
  /** How long after a run that failed the next one begins, given how many have failed in a row; else as long as ever. */
  retry_ms?: (failures: number) => number;
  /** Gives how many it found to do. */
  work: () => Promise<number>;
  /** After a run of its own that found something. */
  onDone?: (count: number) => void;
  log: { warn(fields: object, text: string): void };
  /** What the log says of a run that failed. */
  failure: string;
}

/** Work that is done beside the requests, one run at a time. */
export function createPeriodicJob({
  interval_ms,
  retry_ms,
  work,
  onDone,
  log,
  failure,
}: PeriodicJobOptions): PeriodicJob {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let failures = 0;
  let is_closed = false;

  const runLogged = async () => {
    try {
      const count = await work();
      failures = 0;
      if (count > 0) onDone?.(count);
    } catch (error) {
      failures += 1;
      log.warn({ err: error }, failure);
    }
    if (is_closed) return;
    const wait_ms = failures > 0 && retry_ms ? retry_ms(failures) : interval_ms;
    timer = setTimeout(() => {
      running = runLogged();
    }, wait_ms).unref();
  };
  return {
    run: work,
    start() {
      running = runLogged();
    },
    async close() {
      is_closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
