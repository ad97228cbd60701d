import type { PeriodRecap } from '@sendlap/contract/stats.ts';
import { useId } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Tag } from '#web/shared/ui/controls/Tag.tsx';
import { useMeasures } from '#web/shared/units/use-measures.ts';

interface PeriodCardProps {
  title: string;
  dates: string;
  recap: PeriodRecap;
}

/** What I did in a week or a season. */
export function PeriodCard({ title, dates, recap: { points, active_days, sports } }: PeriodCardProps) {
  const { t } = useTranslation('dashboard');
  const { swum } = useMeasures();
  const title_id = useId();
  return (
    <Card as="section" aria-labelledby={title_id} className="flex flex-col gap-3 rounded-xl p-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 id={title_id} className="text-xl font-bold">
          {title}
        </h2>
        <p className="figures text-label text-ink-soft">{dates}</p>
      </div>
      <p className="figures text-figure leading-tight font-extrabold">{t('recap.points', { count: points })}</p>
      <ul className="figures flex flex-wrap gap-2">
        <li>
          <Tag icon="calendar" wraps>
            {t('recap.days', { count: active_days })}
          </Tag>
        </li>
        {sports.map(({ sport_type, activities, metres }) => (
          <li key={sport_type}>
            <Tag icon={SPORT_LOOKS[sport_type].icon} tone={SPORT_LOOKS[sport_type].tone} wraps>
              {[t(`recap.activities.${sport_type}`, { count: activities }), ...(metres ? [swum(metres)] : [])].join(
                ' · ',
              )}
            </Tag>
          </li>
        ))}
      </ul>
    </Card>
  );
}
