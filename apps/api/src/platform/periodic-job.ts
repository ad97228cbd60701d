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
  /** Gives how many it found to do. */
  work: () => Promise<number>;
  /** After a run of its own that found something. */
  onDone?: (count: number) => void;
  log: { warn(fields: object, text: string): void };
  /** What the log says of a run that failed. */
  failure: string;
}

/** Work that is done beside the requests, one run at a time. */
export function createPeriodicJob({ interval_ms, work, onDone, log, failure }: PeriodicJobOptions): PeriodicJob {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let is_closed = false;

  const runLogged = async () => {
    try {
      const count = await work();
      if (count > 0) onDone?.(count);
    } catch (error) {
      log.warn({ err: error }, failure);
    }
    if (is_closed) return;
    timer = setTimeout(() => {
      running = runLogged();
    }, interval_ms).unref();
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
