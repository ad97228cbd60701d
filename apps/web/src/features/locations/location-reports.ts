import type { UserLocation } from '@sendlap/contract/locations.ts';
import type { SharedPosition } from '#web/shared/data/last-position.ts';

/** At most one report per this interval: the server accepts ten a minute, and friends need no more. */
export const REPORT_EVERY_MS = 60_000;

interface Report {
  latitude: number;
  longitude: number;
  accuracy: number;
  timestamp: string;
  sport_center_id?: string | null;
}

interface AthleteLocation {
  position: SharedPosition;
  sport_center_id: string | null;
}

interface LocationReportsDeps {
  /** Whether friends may still know, by the server's settings: another device may have switched it off. May reject. */
  isSharingEnabled(): Promise<boolean>;
  /** The requests; each returns the location that the server now has. They may reject. */
  save(report: Report): Promise<UserLocation>;
  update(change: { sport_center_id: string | null }): Promise<UserLocation>;
  storeCopy(location: UserLocation): Promise<void>;
  /** Device time (ms epoch), as in the timestamps of positions. */
  now(): number;
  /** Converts a moment of device time to server time, both ms epoch. */
  toServerTime(device_ms: number): number;
  setTimer(work: () => void, delay_ms: number): () => void;
  /** When a previous page load last reported (device time, ms epoch); null: unknown. */
  last_reported_at: number | null;
}

/**
 * Reports the athlete's location to the server for friends who may know it: at most once a minute, only the newest
 * position, and only the center if nothing else changed. A failed report is not retried: the next position replaces it.
 */
export function createLocationReports(deps: LocationReportsDeps) {
  let pending: AthleteLocation | null = null;
  let reported: AthleteLocation | null = null;
  let last_sent_at = deps.last_reported_at ?? Number.NEGATIVE_INFINITY;
  let cancel: (() => void) | null = null;
  let is_stopped = false;

  async function send(): Promise<void> {
    cancel = null;
    const next = pending;
    if (!next || is_stopped) return;
    last_sent_at = deps.now();
    try {
      if (!(await deps.isSharingEnabled()) || is_stopped) return;
      const location = await (reported?.position.measured_at === next.position.measured_at
        ? deps.update({ sport_center_id: next.sport_center_id })
        : deps.save(toReport(next)));
      reported = next;
      if (!is_stopped) await deps.storeCopy(location);
    } catch {
      // The failed report may have been the position: send it in full next time, not only the center.
      reported = null;
    }
  }

  function toReport({ position, sport_center_id }: AthleteLocation): Report {
    const { latitude, longitude, accuracy_m, measured_at } = position;
    const timestamp = new Date(deps.toServerTime(measured_at)).toISOString();
    return { latitude, longitude, accuracy: accuracy_m, timestamp, ...(sport_center_id ? { sport_center_id } : {}) };
  }

  return {
    /** Queues the athlete's position and the center of the running activity (null: none). The newest report wins. */
    report(position: SharedPosition, sport_center_id: string | null) {
      if (is_stopped) return;
      const isSame =
        pending?.position.measured_at === position.measured_at && pending.sport_center_id === sport_center_id;
      if (isSame) return;
      pending = { position, sport_center_id };
      cancel ??= deps.setTimer(() => void send(), Math.max(0, last_sent_at + REPORT_EVERY_MS - deps.now()));
    },
    /** Sends nothing more. */
    stop() {
      is_stopped = true;
      cancel?.();
    },
  };
}
