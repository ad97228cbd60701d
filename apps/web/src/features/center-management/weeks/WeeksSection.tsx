import { type CenterWeek, getCenterWeeks } from '@sendlap/contract/center-management/center-weeks.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '#web/shared/api/client.ts';
import { numberFormat } from '#web/shared/i18n/formats.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { shortDateFormat } from '#web/shared/time/format-date.ts';
import { Section } from '../section/Section.tsx';
import { SportRows } from './SportRows.tsx';

function weeksQuery(id: string) {
  return queryOptions({
    queryKey: ['center-management', id, 'weeks'],
    queryFn: ({ signal }) => call(getCenterWeeks, { params: { id } }, { signal }),
    refetchOnMount: 'always',
  });
}

/** This week's numbers, and those of the weeks before as a table. */
export function WeeksSection({ id }: { id: string }) {
  const { t } = useTranslation('center-management');
  const query = useQuery(weeksQuery(id));
  return (
    <Section title={t('weeks.title')} query={query}>
      {({ weeks: [running, ...ended] }) => (
        <>
          {running && <RunningWeek week={running} />}
          <EndedWeeks weeks={ended} />
          <p className="text-sm text-ink-faint">{t('weeks.rule')}</p>
        </>
      )}
    </Section>
  );
}

function RunningWeek({ week: { total, sports } }: { week: CenterWeek }) {
  const { t } = useTranslation('center-management');
  const locale = useLocale();
  const number = numberFormat(locale);
  if (!total) return <p className="text-ink-soft">{t('weeks.few')}</p>;
  return (
    <>
      <dl className="grid grid-cols-3 gap-2">
        {(['people', 'activities', 'hours'] as const).map((name) => (
          <div key={name} className="flex flex-col-reverse rounded-md bg-sunken px-3 py-2">
            <dt className="text-sm text-ink-soft">{t(`weeks.${name}`)}</dt>
            <dd className="figures text-2xl font-bold">{t('weeks.atLeast', { count: number.format(total[name]) })}</dd>
          </div>
        ))}
      </dl>
      <SportRows sports={sports} />
    </>
  );
}

function EndedWeeks({ weeks }: { weeks: CenterWeek[] }) {
  const { t } = useTranslation('center-management');
  const locale = useLocale();
  const number = numberFormat(locale);
  const date = shortDateFormat(locale);
  const columns = ['people', 'activities', 'hours'] as const;
  const [last] = weeks;
  if (weeks.length > 0 && weeks.every(({ total }) => total === null))
    return <p className="text-ink-soft">{t('weeks.noneShown', { count: weeks.length })}</p>;
  return (
    <>
      <table className="figures w-full text-right text-label">
        <thead className="text-sm text-ink-soft">
          <tr>
            <th className="py-1 text-left font-medium">{t('weeks.from')}</th>
            {columns.map((name) => (
              <th key={name} className="py-1 pl-2 font-medium">
                {t(`weeks.${name}`)}
              </th>
            ))}
            <th className="py-1 pl-2 font-medium">{t('weeks.confirmed')}</th>
          </tr>
        </thead>
        <tbody>
          {weeks.map(({ week_key, starts_on, total, confirmed_percent }) => (
            <tr key={week_key} className="border-t border-line">
              <th className="py-2 text-left font-normal">{date.format(Date.parse(starts_on))}</th>
              {total ? (
                columns.map((name) => <td key={name}>{number.format(total[name])}</td>)
              ) : (
                <td colSpan={3} className="text-ink-faint">
                  {t('weeks.under')}
                </td>
              )}
              <td className={confirmed_percent === null ? 'text-ink-faint' : ''}>
                {confirmed_percent === null
                  ? '–'
                  : (confirmed_percent / 100).toLocaleString(locale, { style: 'percent' })}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {last?.total && (
        <>
          <h3 className="font-semibold">{t('weeks.bySport')}</h3>
          <SportRows sports={last.sports} />
        </>
      )}
    </>
  );
}
