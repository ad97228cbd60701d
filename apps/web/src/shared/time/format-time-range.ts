import { dateFormat } from '#web/shared/i18n/formats.ts';

/**
 * Formats a time range on this device's clock: "18:05–19:35", "2:01 – 2:51 AM". Shows only times even across midnight,
 * because the day is shown beside them; the browser would add both dates.
 */
export function formatTimeRange(from_ms: number, to_ms: number, locale: string): string {
  const parts = dateFormat(locale, { hour: 'numeric', minute: '2-digit' }).formatRangeToParts(from_ms, to_ms);
  const timeOf = (source: 'startRange' | 'endRange') => {
    const own = parts.filter((part) => part.source === source);
    return textOf(own.slice(own.findIndex(({ type }) => type === 'hour')));
  };
  const has_days = parts.some(({ type }) => type === 'day');
  return has_days ? `${timeOf('startRange')} – ${timeOf('endRange')}` : textOf(parts);
}

function textOf(parts: { value: string }[]): string {
  return parts.map(({ value }) => value).join('');
}
