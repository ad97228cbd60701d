import { relativeTime } from '@sendlap/domain/dates.ts';
import { dateFormat, relativeTimeFormat } from '#web/shared/i18n/formats.ts';

/** 'now', '5m ago', '3h ago', then a date (spec, section 9), with the year if it is not the current one. */
export function formatAge(then_ms: number, now_ms: number, locale: string): string {
  const { unit, value } = relativeTime(then_ms, now_ms);
  // Only the language: the British variant of "5m ago" is "5 min ago".
  const [language = locale] = locale.split('-');
  if (unit === 'minutes' && value === 0) return relativeTimeFormat(language, { numeric: 'auto' }).format(0, 'second');
  if (unit !== 'date') return relativeTimeFormat(language, { style: 'narrow' }).format(-value, unit);
  const same_year = new Date(value).getFullYear() === new Date(now_ms).getFullYear();
  const year = same_year ? {} : ({ year: 'numeric' } as const);
  return dateFormat(locale, { day: 'numeric', month: 'short', ...year }).format(value);
}
