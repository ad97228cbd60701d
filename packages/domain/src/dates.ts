import { DAY_MS, DAYS_A_WEEK, HOUR_MS, MINUTE_MS } from './durations.ts';

const THURSDAY = 3;
/** The zones of the earth go from UTC−12 to UTC+14. */
const WESTERNMOST_OFFSET_MS = -12 * HOUR_MS;
const EASTERNMOST_OFFSET_MS = 14 * HOUR_MS;

/** Two local dates 'YYYY-MM-DD', inclusive. */
export interface DateRange {
  starts_on: string;
  ends_on: string;
}

/** `value` counts minutes or hours; with unit 'date' it is the moment itself in ms epoch. */
export interface RelativeTime {
  unit: 'minutes' | 'hours' | 'date';
  value: number;
}

// More than there are time zones, because the letter case of their names varies.
const MAX_FORMATTERS = 600;

/**
 * Returns the formatters of one format, by IANA zone; kept, because creating one costs about 50 µs. They throw RangeError
 * for an unknown zone.
 */
export function cacheFormatters(options: Intl.DateTimeFormatOptions): (time_zone: string) => Intl.DateTimeFormat {
  const formatters = new Map<string, Intl.DateTimeFormat>();
  return (time_zone) => {
    const cached = formatters.get(time_zone);
    if (cached) return cached;
    const created = new Intl.DateTimeFormat('en-US', { ...options, timeZone: time_zone, numberingSystem: 'latn' });
    if (formatters.size >= MAX_FORMATTERS) formatters.clear();
    formatters.set(time_zone, created);
    return created;
  };
}

const getFormatter = cacheFormatters({ calendar: 'gregory', year: 'numeric', month: '2-digit', day: '2-digit' });

/** Returns true for a zone name in this runtime's tz data ('Europe/Madrid'); refuses bare offsets ('+01:00'). */
export function isTimeZone(zone: unknown): zone is string {
  if (typeof zone !== 'string' || !/^[A-Za-z]/.test(zone)) return false;
  try {
    getFormatter(zone);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the local date 'YYYY-MM-DD' of a moment (ms epoch) in an IANA zone. Throws RangeError for an unknown zone.
 */
export function localDate(epoch_ms: number, time_zone: string): string {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const part of getFormatter(time_zone).formatToParts(epoch_ms)) parts[part.type] = part.value;
  return `${parts.year?.padStart(4, '0')}-${parts.month}-${parts.day}`;
}

/** Returns days since 1970-01-01. Throws RangeError unless the text is a valid date. */
function parseDay(date: string): number {
  const day = Date.parse(`${date}T00:00:00Z`) / DAY_MS;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || !Number.isInteger(day) || formatDay(day) !== date) {
    throw new RangeError(`not a date: ${date}`);
  }
  return day;
}

function formatDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** 0 = Monday … 6 = Sunday; day 0 of the epoch was a Thursday. */
function weekday(day: number): number {
  return (((day + THURSDAY) % DAYS_A_WEEK) + DAYS_A_WEEK) % DAYS_A_WEEK;
}

/** Returns the date `days` later (or earlier). Throws RangeError for text that is not a date. */
export function addDays(date: string, days: number): string {
  return formatDay(parseDay(date) + days);
}

/** Returns the ISO 8601 week of a local date: '2026-W47'. The year is that of the week's Thursday. */
export function isoWeekKey(date: string): string {
  const day = parseDay(date);
  const thursday = day - weekday(day) + THURSDAY;
  const year = formatDay(thursday).slice(0, 4);
  const week = Math.floor((thursday - parseDay(`${year}-01-01`)) / DAYS_A_WEEK) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}

/** Returns the ISO week of a moment (ms epoch) in an IANA zone. Throws RangeError for an unknown zone. */
export function isoWeekAt(epoch_ms: number, time_zone: string): string {
  return isoWeekKey(localDate(epoch_ms, time_zone));
}

/**
 * Returns the ISO week of the whole earth at a moment (ms epoch); undefined for the 26 hours around a Monday in which
 * the zones from UTC−12 to UTC+14 are in two weeks.
 */
export function isoWeekWorldwide(epoch_ms: number): string | undefined {
  const [first, last] = [WESTERNMOST_OFFSET_MS, EASTERNMOST_OFFSET_MS].map((offset_ms) =>
    isoWeekKey(formatDay(Math.floor((epoch_ms + offset_ms) / DAY_MS))),
  );
  return first === last ? first : undefined;
}

/** Returns the latest local date on earth at a moment (ms epoch): later dates have not begun anywhere. */
export function latestDate(epoch_ms: number): string {
  return formatDay(Math.floor((epoch_ms + EASTERNMOST_OFFSET_MS) / DAY_MS));
}

/** Returns Monday and Sunday of an ISO week. Throws RangeError for a week that does not exist ('2025-W53'). */
export function isoWeekRange(key: string): DateRange {
  const monday = mondayOf(key);
  return { starts_on: formatDay(monday), ends_on: formatDay(monday + DAYS_A_WEEK - 1) };
}

function mondayOf(key: string): number {
  const match = /^(\d{4})-W(\d{2})$/.exec(key);
  if (match) {
    // 4 January is in week 1 of its year by definition (ISO 8601).
    const january_4 = parseDay(`${match[1]}-01-04`);
    const monday = january_4 - weekday(january_4) + (Number(match[2]) - 1) * DAYS_A_WEEK;
    if (isoWeekKey(formatDay(monday)) === key) return monday;
  }
  throw new RangeError(`not an ISO week: ${key}`);
}

/**
 * Returns the season of an ISO week: the quarter of its Thursday, '2026-Q4'. Throws RangeError as isoWeekRange does.
 */
export function seasonKey(week_key: string): string {
  const thursday = formatDay(mondayOf(week_key) + THURSDAY);
  return `${thursday.slice(0, 4)}-Q${Math.ceil(Number(thursday.slice(5, 7)) / 3)}`;
}

/**
 * Returns the first Monday and last Sunday of a season, which consists of whole weeks. Throws RangeError for a bad key.
 */
export function seasonRange(key: string): DateRange {
  const match = /^(\d{4})-Q([1-4])$/.exec(key);
  if (!match) throw new RangeError(`not a season: ${key}`);
  const year = Number(match[1]);
  const quarter = Number(match[2]);
  const next = quarter === 4 ? firstMonday(year + 1, 1) : firstMonday(year, quarter + 1);
  return { starts_on: formatDay(firstMonday(year, quarter)), ends_on: formatDay(next - 1) };
}

/** Returns the Monday of the first week whose Thursday is in the quarter. */
function firstMonday(year: number, quarter: number): number {
  const month = String(quarter * 3 - 2).padStart(2, '0');
  const first = parseDay(`${String(year).padStart(4, '0')}-${month}-01`);
  const untilThursday = (THURSDAY - weekday(first) + DAYS_A_WEEK) % DAYS_A_WEEK;
  return first + untilThursday - THURSDAY;
}

/** Returns 'Nm ago' under 1 hour, 'Nh ago' under 24 hours, else a date (spec, section 9). The future counts as now. */
export function relativeTime(then_ms: number, now_ms: number): RelativeTime {
  const elapsed_ms = Math.max(0, now_ms - then_ms);
  if (elapsed_ms < HOUR_MS) return { unit: 'minutes', value: Math.floor(elapsed_ms / MINUTE_MS) };
  if (elapsed_ms < 24 * HOUR_MS) return { unit: 'hours', value: Math.floor(elapsed_ms / HOUR_MS) };
  return { unit: 'date', value: then_ms };
}
