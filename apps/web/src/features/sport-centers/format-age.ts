import { relativeTime } from '@sendlap/domain/dates.ts';

/** How long ago, in few words: '5m ago', '3h ago', 'Nov 20' ('hace 5 min', …). */
export function formatAge(then_ms: number, now_ms: number, language: string): string {
  const { unit, value } = relativeTime(then_ms, now_ms);
  if (unit === 'date') return new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' }).format(value);
  return new Intl.RelativeTimeFormat(language, { style: 'narrow', numeric: value === 0 ? 'auto' : 'always' }).format(
    -value,
    unit,
  );
}
