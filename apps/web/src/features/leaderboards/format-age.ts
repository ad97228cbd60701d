import { relativeTime } from '@sendlap/domain/dates.ts';

/** 'now', '5m ago', '3h ago', then a date (spec, section 9). */
export function formatAge(then_ms: number, now_ms: number, language: string): string {
  const { unit, value } = relativeTime(then_ms, now_ms);
  if (unit === 'minutes' && value === 0)
    return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(0, 'second');
  if (unit === 'date') return new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' }).format(value);
  return new Intl.RelativeTimeFormat(language, { style: 'narrow' }).format(-value, unit);
}
