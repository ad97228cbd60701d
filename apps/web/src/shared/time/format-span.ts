import { numberFormat } from '#web/shared/i18n/formats.ts';

const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;

/** E.g. "7 minutes": the span, rounded, in the largest unit of which it has two at least. */
export function formatSpan(span_ms: number, locale: string): string {
  const seconds = Math.round(span_ms / 1000);
  const [unit_s, unit] =
    seconds < 2 * MINUTE_S
      ? [1, 'second']
      : seconds < 2 * HOUR_S
        ? [MINUTE_S, 'minute']
        : seconds < 2 * DAY_S
          ? [HOUR_S, 'hour']
          : [DAY_S, 'day'];
  const format = numberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(Math.round(seconds / unit_s));
}
