/**
 * Returns the first moment of a local date 'YYYY-MM-DD' in an IANA zone; where the clock skips midnight, the first
 * moment after the gap.
 */
export function startOfDay(day: string, time_zone: string): Date {
  return new Date(Temporal.PlainDate.from(day).toZonedDateTime(time_zone).epochMilliseconds);
}
