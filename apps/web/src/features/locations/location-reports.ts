import type { UserLocation } from '@sendlap/contract/locations.ts';
import type { SharedPosition } from '#web/shared/data/last-position.ts';

/** At most one report in so long: the server takes ten a minute, and a friend needs no more. */
export const REPORT_EVERY_MS = 60_000;

interface Report {
  latitude: number;
  longitude: number;
  accuracy: number;
  timestamp: string;
  sport_center_id?: string | null;
}

interface Whereabouts {
  position: SharedPosition;
  sport_center_id: string | null;
}

interface LocationReportsDeps {
  /** Whether friends may still know, as the server has it: another device may have switched it off. May reject. */
  isWanted(): Promise<boolean>;
  /** Ends of the wire; each gives what the server now knows. They may reject. */
  save(report: Report): Promise<UserLocation>;
  update(change: { sport_center_id: string | null }): Promise<UserLocation>;
  keep(location: UserLocation): Promise<void>;
  /** ms epoch of this device, as positions are stamped. */
  now(): number;
  /** The server's time for a moment of this device, both ms epoch. */
  toServerTime(device_ms: number): number;
  setTimer(work: () => void, delay_ms: number): () => void;
  /** When an earlier page life told last, ms epoch of this device; null: not that anybody knows. */
  told_at: number | null;
}

/**
 * Tells the server where the athlete is, for friends who may know: at most once a minute, the newest position only,
 * and when nothing but the center has changed, only that. What fails is not repeated: the next position says more.
 */
export function createLocationReports(deps: LocationReportsDeps) {
  let wanted: Whereabouts | null = null;
  let told: Whereabouts | null = null;
  let last_at = deps.told_at ?? Number.NEGATIVE_INFINITY;
  let cancel: (() => void) | null = null;
  let is_over = false;

  async function send(): Promise<void> {
    cancel = null;
    const next = wanted;
    if (!next || is_over) return;
    last_at = deps.now();
    try {
      if (!(await deps.isWanted()) || is_over) return;
      const location = await (told?.position.known_at === next.position.known_at
        ? deps.update({ sport_center_id: next.sport_center_id })
        : deps.save(toReport(next)));
      told = next;
      if (!is_over) await deps.keep(location);
    } catch {
      // Without the first half the second can't be told alone.
      told = null;
    }
  }

  function toReport({ position, sport_center_id }: Whereabouts): Report {
    const { latitude, longitude, accuracy_m, known_at } = position;
    const timestamp = new Date(deps.toServerTime(known_at)).toISOString();
    return { latitude, longitude, accuracy: accuracy_m, timestamp, ...(sport_center_id ? { sport_center_id } : {}) };
  }

  return {
    /** Where the athlete is, and the center of the activity that runs (null: none does). The newest wins. */
    report(position: SharedPosition, sport_center_id: string | null) {
      if (is_over) return;
      const isSame = wanted?.position.known_at === position.known_at && wanted.sport_center_id === sport_center_id;
      if (isSame) return;
      wanted = { position, sport_center_id };
      cancel ??= deps.setTimer(() => void send(), Math.max(0, last_at + REPORT_EVERY_MS - deps.now()));
    },
    /** Sends nothing more. */
    stop() {
      is_over = true;
      cancel?.();
    },
  };
}
