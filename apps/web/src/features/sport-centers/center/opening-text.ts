import type { OpeningHours } from '@sendlap/contract/wire/opening-hours.ts';
import { openingStateAt } from '@sendlap/domain/centers/opening-hours.ts';
import { localDate } from '@sendlap/domain/dates.ts';
import { MINUTE_MS } from '@sendlap/domain/durations.ts';
import { dateFormat } from '#web/shared/i18n/formats.ts';
import type { Translate } from '#web/shared/i18n/texts.ts';

const NOON = 720;

interface OpeningTextOptions {
  hours: OpeningHours;
  time_zone: string;
  now: number;
  locale: string;
  t: Translate<'sport-centers'>;
}

/** Says whether the center is open at `now`, and what changes next. Returns null if its hours are not known. */
export function openingText({ hours, time_zone, now, locale, t }: OpeningTextOptions): string | null {
  const state = openingStateAt(hours, now, time_zone);
  if (!state) return null;
  const { is_open, changes_at, closure } = state;
  const { days, minutes } = changes_at ?? { days: 0, minutes: 0 };
  // The local time as if it were UTC.
  const moment = Date.parse(localDate(now, time_zone)) + (days * 1440 + minutes) * MINUTE_MS;
  const format = (options: Intl.DateTimeFormatOptions) =>
    dateFormat(locale, { timeZone: 'UTC', ...options }).format(moment);
  const time = format({ timeStyle: 'short' });
  // The name of a day says which one only within a week.
  const day = format(days < 7 ? { weekday: 'long' } : { day: 'numeric', month: 'long' });
  const closed = closure
    ? closure.reason
      ? t('hours.closedFor', { reason: closure.reason })
      : t('hours.closedToday')
    : t('hours.closed');
  // A far end would read as one of today.
  const is_soon = days === 0 || (days === 1 && minutes < NOON);
  const open = changes_at && is_soon ? t('hours.until', { time }) : t('hours.open');
  const next = t(days === 0 ? 'hours.opens' : days === 1 ? 'hours.tomorrow' : 'hours.later', { day, time });
  return is_open ? open : [closed, changes_at && next].filter(Boolean).join(' · ');
}
