import type { CenterWeek } from '@sendlap/contract/center-management/center-weeks.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { Tag } from '#web/shared/ui/controls/Tag.tsx';
import { useMeasures } from '#web/shared/units/use-measures.ts';

/** A week by sport; says why if that is hidden. */
export function SportRows({ sports }: Pick<CenterWeek, 'sports'>) {
  const { t } = useTranslation(['center-management', 'shell']);
  const { swum } = useMeasures();
  if (!sports) return <p className="text-sm text-ink-faint">{t('center-management:weeks.fewInSport')}</p>;
  return (
    <ul className="flex flex-col gap-2">
      {sports.map(({ sport, activities, hours, metres }) => (
        <li key={sport} className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Tag tone={SPORT_LOOKS[sport].tone} icon={SPORT_LOOKS[sport].icon}>
            {t(`shell:sport.${sport}`)}
          </Tag>
          <span className="figures text-ink-soft">
            {[
              t('center-management:weeks.countActivities', { count: activities }),
              t('center-management:weeks.countHours', { count: hours }),
              ...(metres === null ? [] : [swum(metres)]),
            ].join(' · ')}
          </span>
        </li>
      ))}
    </ul>
  );
}
