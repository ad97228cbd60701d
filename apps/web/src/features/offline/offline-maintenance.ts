/** Delay between getting a network and preloading for offline (spec, section 9). */
const PRELOAD_DELAY_MS = 1_000;
const CLEANUP_INTERVAL_MS = 3_600_000;
const RECHECK_INTERVAL_MS = 5 * 60_000;

export interface OfflineMaintenanceDeps {
  isOnline: () => boolean;
  /** Calls `listener` when the device goes online or offline; returns the unsubscribe function. */
  onNetwork: (listener: (event: 'online' | 'offline') => void) => () => void;
  /** Calls `listener` when a user signs in; returns the unsubscribe function. */
  onSignedIn: (listener: () => void) => () => void;
  cleanUp: () => Promise<void>;
  /** Reads again which data is saved on this device. */
  reloadState: () => Promise<void>;
  preload: () => Promise<unknown>;
  /** Resumes incomplete cities and refreshes old ones. */
  resumeCities: () => Promise<void>;
}

/**
 * Maintains this device's offline copies: at start, on timers, when the network returns and when a user signs in.
 * Returns the function that stops it.
 */
export function startOfflineMaintenance({
  isOnline,
  onNetwork,
  onSignedIn,
  ...tasks
}: OfflineMaintenanceDeps): () => void {
  let preload_timer: ReturnType<typeof setTimeout> | undefined;

  const preloadAndRefresh = async () => {
    await runLogged(tasks.preload);
    await runLogged(tasks.resumeCities);
    await runLogged(tasks.reloadState);
  };
  const schedulePreload = () => {
    clearTimeout(preload_timer);
    preload_timer = setTimeout(() => void preloadAndRefresh(), PRELOAD_DELAY_MS);
  };
  const unsubscribeNetwork = onNetwork((event) =>
    event === 'online' ? schedulePreload() : clearTimeout(preload_timer),
  );
  const unsubscribeSignIn = onSignedIn(() => (isOnline() ? schedulePreload() : undefined));
  const reload_timer = setInterval(() => void runLogged(tasks.reloadState), RECHECK_INTERVAL_MS);
  const cleanup_timer = setInterval(() => void cleanUpAndRefresh(), CLEANUP_INTERVAL_MS);

  async function cleanUpAndRefresh(): Promise<void> {
    await runLogged(tasks.cleanUp);
    if (isOnline()) await runLogged(tasks.resumeCities);
  }

  void runLogged(tasks.cleanUp).then(() => runLogged(tasks.reloadState));
  if (isOnline()) schedulePreload();
  return () => {
    unsubscribeNetwork();
    unsubscribeSignIn();
    clearTimeout(preload_timer);
    clearInterval(reload_timer);
    clearInterval(cleanup_timer);
  };
}

/** A failure is only logged: the work is tried again later. */
async function runLogged(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.warn('offline', error);
  }
}
