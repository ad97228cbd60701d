/** Getting ready for offline begins so long after the network came (spec, section 9). */
const PRELOAD_DELAY_MS = 1_000;
const CLEANUP_INTERVAL_MS = 3_600_000;
const RECHECK_INTERVAL_MS = 5 * 60_000;

export interface KeeperDeps {
  isOnline: () => boolean;
  /** Calls back whenever the device gets a network, or loses it. */
  onNetwork: (listener: (event: 'online' | 'offline') => void) => () => void;
  /** Calls back whenever somebody signs in. */
  onSignedIn: (listener: () => void) => () => void;
  cleanUp: () => Promise<void>;
  /** Looks again what is saved here. */
  recheck: () => Promise<void>;
  preload: () => Promise<unknown>;
  /** Goes on with cities that are not complete, and refreshes old ones. */
  continueCities: () => Promise<void>;
}

/** Keeps the copies of this device in order: at start, by the clock, when the network or a user comes. Returns what stops it. */
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

/** What fails here is tried again later; nobody has to hear of it now. */
async function attempt(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.warn('offline', error);
  }
}
