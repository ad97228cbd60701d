import { HOUR_MS, MINUTE_MS } from '@sendlap/domain/durations.ts';

/** Without a touch, and without a change of the board, for this long, the screen counts as unattended. */
const MIN_UNTOUCHED_MS = 2 * MINUTE_MS;
const MIN_UNCHANGED_MS = 10 * MINUTE_MS;
/** The hour, in the center's time zone, in which hardly any athlete trains. */
const NIGHT_HOUR = 4;
const MIN_RELOAD_INTERVAL_MS = 6 * HOUR_MS;
/** A page is never older than this, even at a center that is busy around the clock. */
const MAX_AGE_MS = 30 * HOUR_MS;
const MAX_UPDATE_WAIT_MS = 12 * HOUR_MS;

/** Ages in ms. */
export interface ReloadConditions {
  page_age_ms: number;
  /** Since the last touch; without one, since the page was opened. */
  untouched_ms: number;
  /** Since the board last changed. */
  board_unchanged_ms: number;
  /** How long a new version has been waiting; null: no version is waiting. */
  update_waiting_ms: number | null;
  /** 0 to 23, in the center's zone. */
  hour: number;
}

/**
 * Whether the kiosk should reload: every night, and for a new version as soon as the screen is unattended. An athlete
 * who scans at that moment sees the code again within its own step or the next.
 */
export function shouldReload(conditions: ReloadConditions): boolean {
  const { page_age_ms, update_waiting_ms, hour } = conditions;
  if (page_age_ms >= MAX_AGE_MS || (update_waiting_ms ?? 0) >= MAX_UPDATE_WAIT_MS) return true;
  const is_unattended =
    conditions.untouched_ms >= MIN_UNTOUCHED_MS && conditions.board_unchanged_ms >= MIN_UNCHANGED_MS;
  const is_night = hour === NIGHT_HOUR && page_age_ms >= MIN_RELOAD_INTERVAL_MS;
  return is_unattended && (is_night || update_waiting_ms !== null);
}
