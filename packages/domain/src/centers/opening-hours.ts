import { addDays, localDate } from '../dates.ts';

/** Local times 'HH:MM'; `closes` at or before `opens` is on the next day. */
export interface OpenInterval {
  opens: string;
  closes: string;
}

/** Local dates, inclusive. */
export interface ClosedDays {
  from: string;
  until: string;
  reason: string | null;
}

export interface OpeningHours {
  /** Seven days from Monday on, each with its intervals. None in the whole week: the hours are not known. */
  weekly: readonly (readonly OpenInterval[])[];
  /** On these days no interval begins. */
  closed_days: readonly ClosedDays[];
}

/** A local time: `days` after today, and minutes of that day. */
interface LocalTime {
  days: number;
  minutes: number;
}

export interface OpeningState {
  /** When it closes (open) or opens next (closed); null: not within the next `HORIZON_DAYS`. */
  is_open: boolean;
  changes_at: LocalTime | null;
  /** The closed days that today belongs to. */
  closure: ClosedDays | null;
}

const DAY_MINUTES = 1440;
const HORIZON_DAYS = 60;
const MONDAY = Date.UTC(2024, 0, 1);

/**
 * Returns whether a center in this time zone is open at a moment (ms epoch), and what changes next. Like the sign on its
 * door, it goes by the clock on the wall, also in the nights in which that clock is changed. null: the hours are not
 * known.
 */
export function openingStateAt(hours: OpeningHours, epoch_ms: number, time_zone: string): OpeningState | null {
  if (!hours.weekly.some((intervals) => intervals.length > 0)) return null;
  const today = localDate(epoch_ms, time_zone);
  const now = wallMinutes(epoch_ms, time_zone);
  const closureOn = (date: string) => hours.closed_days.find(({ from, until }) => from <= date && date <= until);
  const closure = closureOn(today) ?? null;
  let end: number | undefined;
  // In minutes since the beginning of today. Yesterday's last interval may go past midnight.
  for (let days = -1; days <= HORIZON_DAYS; days += 1) {
    const date = addDays(today, days);
    if (closureOn(date)) continue;
    const intervals = (hours.weekly[weekday(date)] ?? []).map(({ opens, closes }) => {
      const begins = days * DAY_MINUTES + minutesOf(opens);
      const length = (minutesOf(closes) - minutesOf(opens) + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES;
      return [begins, begins + length] as const;
    });
    for (const [begins, ends] of intervals.sort(([a], [b]) => a - b)) {
      if (ends <= now) continue;
      if (end === undefined && begins > now) return { is_open: false, changes_at: toLocalTime(begins), closure };
      // Without a gap it stays open.
      if (end === undefined || (begins <= end && ends > end)) end = ends;
      else if (begins > end) return { is_open: true, changes_at: toLocalTime(end), closure };
    }
  }
  if (end === undefined) return { is_open: false, changes_at: null, closure };
  return { is_open: true, changes_at: end > HORIZON_DAYS * DAY_MINUTES ? null : toLocalTime(end), closure };
}

function toLocalTime(minutes: number): LocalTime {
  const days = Math.floor(minutes / DAY_MINUTES);
  return { days, minutes: minutes - days * DAY_MINUTES };
}

/** 0 = Monday … 6 = Sunday. */
function weekday(date: string): number {
  return Math.round((Date.parse(date) - MONDAY) / 60_000 / DAY_MINUTES + 700_000) % 7;
}

/** Returns the minutes of the day of 'HH:MM'. */
export function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

function wallMinutes(epoch_ms: number, time_zone: string): number {
  const options = { timeZone: time_zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return minutesOf(new Intl.DateTimeFormat('en-GB', options).format(epoch_ms));
}
