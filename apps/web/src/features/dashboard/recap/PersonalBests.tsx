import type { PersonalBest, Recap } from '@sendlap/contract/stats.ts';
import { hasDistance } from '@sendlap/domain/sports.ts';
import { isolate } from '#web/shared/i18n/format-message.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { activityPath, PATHS } from '#web/shared/paths.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { formatDate } from '#web/shared/time/format-date.ts';
import { formatDateRangeWithYear } from '#web/shared/time/format-date-range.ts';
import { formatMinutes } from '#web/shared/time/format-minutes.ts';
import { LinkRow } from '#web/shared/ui/controls/LinkRow.tsx';
import { useMeasures } from '#web/shared/units/use-measures.ts';

/** My best week and my best activities; each row leads to them in the history. */
export function PersonalBests({ recap: { best_week, bests } }: { recap: Recap }) {
  const { t } = useTranslation('dashboard');
  const locale = useLocale();
  const nameOf = useNameOf();
  const formatValue = useFormatValue();
  return (
    <section aria-labelledby="bests-title">
      <h2 id="bests-title" className="mb-2 px-1 text-xl font-bold">
        {t('recap.bests')}
      </h2>
      <ul className="flex flex-col gap-2">
        {best_week && (
          <li>
            <LinkRow
              href={`${PATHS.history}?from=${best_week.starts_on}&to=${best_week.ends_on}`}
              icon="trophy"
              title={t('recap.bestWeek')}
              text={formatDateRangeWithYear(best_week, locale)}
              className="bg-surface"
            >
              <Value>{formatValue('points', best_week.points)}</Value>
            </LinkRow>
          </li>
        )}
        {bests.map((best) => (
          <li key={`${best.measure} ${best.sport_type}`}>
            <LinkRow
              href={activityPath(best.client_id)}
              icon={best.measure === 'points' ? 'trophy' : SPORT_LOOKS[best.sport_type].icon}
              title={nameOf(best)}
              text={`${isolate(best.sport_center_name)} · ${formatDate(best.local_date, locale)}`}
              className="bg-surface"
            >
              <Value>{formatValue(best.measure, best.value)}</Value>
            </LinkRow>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Value({ children }: { children: string }) {
  return <span className="figures shrink-0 font-bold">{children}</span>;
}

function useNameOf(): (best: PersonalBest) => string {
  const { t } = useTranslation('dashboard');
  return ({ measure, sport_type }) => {
    if (measure === 'points') return t('recap.best.points');
    // The server sends metres only of sports with a distance.
    if (measure === 'metres' && hasDistance(sport_type)) return t(`recap.best.metres.${sport_type}`);
    return t(`recap.best.minutes.${sport_type}`);
  };
}

/** Formats a value in the unit of its measure: '473', '2 hr', '2,000 m'. */
function useFormatValue(): (measure: PersonalBest['measure'], value: number) => string {
  const locale = useLocale();
  const { swum } = useMeasures();
  return (measure, value) => {
    if (measure === 'minutes') return formatMinutes(value, locale);
    return measure === 'metres' ? swum(value) : value.toLocaleString(locale);
  };
}
