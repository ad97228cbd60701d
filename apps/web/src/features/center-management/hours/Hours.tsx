import type { CenterHours } from '@sendlap/contract/center-management/center-hours.ts';
import { localDate } from '@sendlap/domain/dates.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import { formatDays, formatIntervals, weekdays } from './format-hours.ts';

/** The week, and the closed days that are not over. */
export function Hours({ hours: { weekly, closed_days, time_zone } }: { hours: CenterHours }) {
  const { t } = useTranslation('center-management');
  const locale = useLocale();
  const today = localDate(useServerNow(), time_zone);
  const coming = closed_days.filter(({ until }) => until >= today);
  if (weekly.every((intervals) => intervals.length === 0) && coming.length === 0)
    return <p className="text-ink-soft">{t('hours.none')}</p>;
  return (
    <>
      <dl className="figures grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {weekdays(locale).map(({ name, day }) => (
          <div key={day} className="contents">
            <dt className="text-ink-soft first-letter:uppercase">{name}</dt>
            <dd className={weekly[day]?.length ? '' : 'text-ink-faint'}>
              {formatIntervals(weekly[day] ?? [], locale) || t('hours.closed')}
            </dd>
          </div>
        ))}
      </dl>
      {coming.length > 0 && (
        <div>
          <h3 className="mb-1 font-semibold">{t('hours.closedDays')}</h3>
          <ul className="flex flex-col gap-1">
            {coming.map((days) => (
              <li key={`${days.from} ${days.until} ${days.reason}`} className="wrap-anywhere">
                <span className="figures">{formatDays(days, locale)}</span>
                {days.reason && <span className="text-ink-soft"> · {days.reason}</span>}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
