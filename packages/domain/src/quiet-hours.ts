const MINUTES_AN_HOUR = 60;
const MINUTES_A_DAY = 1_440;
const MINUTE_MS = 60_000;
// More than there are time zones: names of them differ in their letters' case too.
const MAX_FORMATTERS = 600;

/** Minutes of the day, 0 to 1439, in an IANA zone. From `from` on, until right before `until`. */
export interface QuietHours {
  from: number;
  until: number;
  time_zone: string;
}

// A formatter costs about 50 µs to make.
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(time_zone: string): Intl.DateTimeFormat {
  const known = formatters.get(time_zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: time_zone,
    numberingSystem: 'latn',
    hourCycle: 'h23',
    hour: '2-digit',
    minute: '2-digit',
  });
  if (formatters.size >= MAX_FORMATTERS) formatters.clear();
  formatters.set(time_zone, made);
  return made;
}

/** What the clock on the wall shows at a moment (ms epoch), in minutes of the day. Throws RangeError for an unknown zone. */
export function minuteOfDay(epoch_ms: number, time_zone: string): number {
  return toMinute(formatterOf(time_zone).format(epoch_ms));
}

/**
 * Whether nothing is to be said at a moment (ms epoch), by the clock on the wall: over midnight where `until` is the
 * earlier one, never where both are the same. Throws RangeError for an unknown zone.
 */
export function isQuiet({ from, until, time_zone }: QuietHours, epoch_ms: number): boolean {
  if (from === until) return false;
  const minute = minuteOfDay(epoch_ms, time_zone);
  return from < until ? minute >= from && minute < until : minute >= from || minute < until;
}

/**
 * How many ms from a moment (ms epoch) until the clock on the wall next shows `from`; 0 while it is quiet. Where that is in an
 * hour that the clocks leave out, at most an hour less than until it is quiet. Throws RangeError for an unknown zone.
 */
export function msUntilQuiet(hours: QuietHours, epoch_ms: number): number {
  if (isQuiet(hours, epoch_ms)) return 0;
  const { from, time_zone } = hours;
  const minutes = (from - minuteOfDay(epoch_ms, time_zone) + MINUTES_A_DAY) % MINUTES_A_DAY;
  const wait_ms = minutes * MINUTE_MS - (epoch_ms % MINUTE_MS);
  // Other than `from` where the clocks change before that.
  const shown = minuteOfDay(epoch_ms + wait_ms, time_zone);
  const half_a_day = MINUTES_A_DAY / 2;
  const late = ((shown - from + MINUTES_A_DAY + half_a_day) % MINUTES_A_DAY) - half_a_day;
  return Math.max(0, wait_ms - late * MINUTE_MS);
}

/** '22:30' as minutes of the day. */
export function toMinute(time: string): number {
  const [hour, minute] = time.split(':');
  return Number(hour) * MINUTES_AN_HOUR + Number(minute);
}

/** Minutes of the day as '22:30'. */
export function toTime(minute: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minute / MINUTES_AN_HOUR))}:${two(minute % MINUTES_AN_HOUR)}`;
}
