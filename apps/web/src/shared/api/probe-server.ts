import { waitForHope } from '../device/wait-for-hope.ts';
import { reachability } from './client.ts';
import { probe } from './probe.ts';

const ADDRESS = `${import.meta.env.VITE_API_BASE ?? ''}/v1/auth/config`;
const LATEST_MS = 5_000;

let is_started = false;

/** Once a page life: whenever the server is not reached it is asked for, and its return is told as that of a network. */
export function startProbing(): void {
  if (is_started) return;
  is_started = true;
  let is_probing = false;
  const follow = async () => {
    if (is_probing || reachability.isReached()) return;
    is_probing = true;
    await probe({
      reachability,
      ask: isThere,
      isVisible: () => document.visibilityState === 'visible',
      wait: waitForHope,
      monotonicNow: () => performance.now(),
      onReached: () => dispatchEvent(new Event('online')),
    });
    is_probing = false;
  };
  reachability.subscribe(() => void follow());
  void follow();
}

/** Whether our server answers, and no portal in its place: only ours says what time it is. */
async function isThere(): Promise<boolean> {
  try {
    const response = await fetch(ADDRESS, { cache: 'no-store', signal: AbortSignal.timeout(LATEST_MS) });
    return response.ok && response.headers.has('x-server-time');
  } catch {
    return false;
  }
}
