/** Delay between getting a network and preloading for offline (spec, section 9). */
const PRELOAD_DELAY_MS = 1_000;
const CLEANUP_INTERVAL_MS = 3_600_000;
const RECHECK_INTERVAL_MS = 5 * 60_000;

export interface KeeperDeps {
  isOnline: () => boolean;
  /** Calls `listener` when the device goes online or offline; returns the unsubscribe function. */
  onNetwork: (listener: (event: 'online' | 'offline') => void) => () => void;
  /** Calls `listener` when a user signs in; returns the unsubscribe function. */
  onSignedIn: (listener: () => void) => () => void;
  cleanUp: () => Promise<void>;
  /** Reads again which data is saved on this device. */
  recheck: () => Promise<void>;
  preload: () => Promise<unknown>;
  /** Resumes incomplete cities and refreshes old ones. */
  continueCities: () => Promise<void>;
}

/**
 * Maintains this device's offline copies: at start, on timers, when the network returns and when a user signs in.
 * Returns the function that stops it.
 */
export function startKeeper({ isOnline, onNetwork, onSignedIn, ...work }: KeeperDeps): () => void {
  let waiting: ReturnType<typeof setTimeout> | undefined;

  const getReady = async () => {
    await attempt(work.preload);
    await attempt(work.continueCities);
    await attempt(work.recheck);
  };
  const soon = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => void getReady(), PRELOAD_DELAY_MS);
  };
  const stopListening = onNetwork((event) => (event === 'online' ? soon() : clearTimeout(waiting)));
  const stopWelcoming = onSignedIn(() => (isOnline() ? soon() : undefined));
  const rechecks = setInterval(() => void attempt(work.recheck), RECHECK_INTERVAL_MS);
  const cleanups = setInterval(() => void cleanUpAndRefresh(), CLEANUP_INTERVAL_MS);

  async function cleanUpAndRefresh(): Promise<void> {
    await attempt(work.cleanUp);
    if (isOnline()) await attempt(work.continueCities);
  }

  void attempt(work.cleanUp).then(() => attempt(work.recheck));
  if (isOnline()) soon();
  return () => {
    stopListening();
    stopWelcoming();
    clearTimeout(waiting);
    clearInterval(rechecks);
    clearInterval(cleanups);
  };
}

/** A failure is only logged: the work is tried again later. */
async function attempt(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.warn('offline', error);
  }
}
