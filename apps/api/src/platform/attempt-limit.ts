const MINUTE_MS = 60_000;
const MAX_KEYS = 50_000;

export interface AttemptLimit {
  /** Counts one attempt. False when there were too many within the last minute (or the limit's own window). */
  take(key: string): boolean;
  /** After a success: the owner's own typing errors are forgotten. */
  forget(key: string): void;
}

interface AttemptLimitOptions {
  /** A minute unless said. */
  window_ms?: number;
  /** Milliseconds of a clock that only goes forward; a test passes its own. */
  now?: () => number;
}

/** At most `max` attempts per key in any window, counted in this process. */
export function createAttemptLimit(
  max: number,
  { window_ms = MINUTE_MS, now = () => performance.now() }: AttemptLimitOptions = {},
): AttemptLimit {
  const attempts = new Map<string, number[]>();

  return {
    take(key) {
      const now_ms = now();
      const recent = (attempts.get(key) ?? []).filter((at_ms) => now_ms - at_ms < window_ms);
      const allowed = recent.length < max;
      if (allowed) recent.push(now_ms);
      // Deleted first, so that the map stays in order of use and the first key is the one to drop.
      attempts.delete(key);
      attempts.set(key, recent);
      const [oldest] = attempts.keys();
      if (attempts.size > MAX_KEYS && oldest !== undefined) attempts.delete(oldest);
      return allowed;
    },
    forget(key) {
      attempts.delete(key);
    },
  };
}

/** An address as a limit counts it: one subscriber of IPv6 has a whole /64. */
export function addressKey(ip: string): string {
  return ip.includes(':') && !ip.includes('.') ? expandHead(ip) : ip;
}

function expandHead(ip: string): string {
  const [head = '', tail] = ip.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const tail_groups = tail === '' ? 0 : tail.split(':').length;
    while (groups.length + tail_groups < 8) groups.push('0');
  }
  return groups.slice(0, 4).join(':');
}
