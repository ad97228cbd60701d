import { waitForRetryOpportunity } from '../device/wait-for-retry-opportunity.ts';
import { reachability } from './client.ts';
import { createProbe } from './probe.ts';

const PROBE_URL = `${import.meta.env.VITE_API_BASE ?? ''}/v1/auth/config`;
const PROBE_TIMEOUT_MS = 5_000;

let is_started = false;

/** Runs once per page life: probes the server whenever it is unreachable, and reports its return like a network's. */
export function startProbing(): void {
  if (is_started) return;
  is_started = true;
  const probe = createProbe({
    reachability,
    checkServer: isServerUp,
    isVisible: () => document.visibilityState === 'visible',
    wait: waitForRetryOpportunity,
    monotonicNow: () => performance.now(),
    onReached: () => dispatchEvent(new Event('online')),
  });
  const probeIfUnreachable = () => {
    if (!reachability.isReached()) void probe();
  };
  reachability.subscribe(probeIfUnreachable);
  probeIfUnreachable();
}

/** Returns whether our server answers, not a captive portal: only ours sends its time. */
async function isServerUp(): Promise<boolean> {
  try {
    const response = await fetch(PROBE_URL, { cache: 'no-store', signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    return response.ok && response.headers.has('x-server-time');
  } catch {
    return false;
  }
}
