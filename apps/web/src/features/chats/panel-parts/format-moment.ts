import { dateFormat, relativeTimeFormat } from '#web/shared/i18n/formats.ts';
import { daysAgo } from '#web/shared/time/days-ago.ts';
import { formatClock } from '#web/shared/time/format-clock.ts';

/** 'Today', 'Yesterday', 'Friday 20 November', with the year if it is not the current one. Times in ms epoch. */
export function formatRelativeDay(at_ms: number, now_ms: number, locale: string): string {
  const days = daysAgo(at_ms, now_ms);
  if (days === 0 || days === 1)
    return capitalize(relativeTimeFormat(locale, { numeric: 'auto' }).format(-days, 'day'), locale);
  const same_year = new Date(at_ms).getFullYear() === new Date(now_ms).getFullYear();
  const year = same_year ? {} : ({ year: 'numeric' } as const);
  const day = dateFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', ...year }).format(at_ms);
  return capitalize(day, locale);
}

/** Formats a moment for a row of the list: the time if today, else the day. */
export function formatMoment(at_ms: number, now_ms: number, locale: string): string {
  const days = daysAgo(at_ms, now_ms);
  if (days === 0) return formatClock(at_ms, locale);
  if (days === 1) return formatRelativeDay(at_ms, now_ms, locale);
  const same_year = new Date(at_ms).getFullYear() === new Date(now_ms).getFullYear();
  const year = same_year ? {} : ({ year: '2-digit' } as const);
  return dateFormat(locale, { day: 'numeric', month: 'short', ...year }).format(at_ms);
}

function capitalize(text: string, locale: string): string {
  return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);
}
