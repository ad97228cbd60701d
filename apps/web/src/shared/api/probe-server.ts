import { waitForHope } from '../device/wait-for-hope.ts';
import { reachability } from './client.ts';
import { createProbe } from './probe.ts';

const ADDRESS = `${import.meta.env.VITE_API_BASE ?? ''}/v1/auth/config`;
const LATEST_MS = 5_000;

let is_started = false;

/** Runs once per page life: probes the server whenever it is unreachable, and reports its return like a network's. */
export function startProbing(): void {
  if (is_started) return;
  is_started = true;
  const probe = createProbe({
    reachability,
    ask: isThere,
    isVisible: () => document.visibilityState === 'visible',
    wait: waitForHope,
    monotonicNow: () => performance.now(),
    onReached: () => dispatchEvent(new Event('online')),
  });
  const follow = () => {
    if (!reachability.isReached()) void probe();
  };
  reachability.subscribe(follow);
  follow();
}

/** Returns whether our server answers, not a captive portal: only ours sends its time. */
async function isThere(): Promise<boolean> {
  try {
    const response = await fetch(ADDRESS, { cache: 'no-store', signal: AbortSignal.timeout(LATEST_MS) });
    return response.ok && response.headers.has('x-server-time');
  } catch {
    return false;
  }
}
