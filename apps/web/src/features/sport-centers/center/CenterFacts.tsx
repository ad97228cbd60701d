import type { SportCenterDetail } from '@sendlap/contract/sport-centers.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { formatLongDateOf } from '#web/shared/time/format-date.ts';
import { Tag } from '#web/shared/ui/controls/Tag.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { useMeasures } from '#web/shared/units/use-measures.ts';
import { OpeningLine } from './OpeningLine.tsx';

interface CenterFactsProps {
  center: SportCenterDetail;
}

/** Sports, access, other names, and whether the center still exists. */
export function CenterFacts({ center }: CenterFactsProps) {
  const { t } = useTranslation(['sport-centers', 'shell']);
  const { other_names, is_private, closed_at, pool_lengths_m, opening_hours } = center;
  const { pool } = useMeasures();
  return (
    <>
      {closed_at !== null && <Closed since={closed_at} />}
      <div>
        <div className="flex flex-wrap gap-2">
          {center.sport_facilities.map(({ id, type }) => (
            <Tag key={id} tone={SPORT_LOOKS[type].tone} icon={SPORT_LOOKS[type].icon}>
              {t(`shell:sport.${type}`)}
            </Tag>
          ))}
          {is_private !== null && <Tag tone="outline">{t(is_private ? 'private' : 'public')}</Tag>}
        </div>
        {opening_hours && closed_at === null && <OpeningLine hours={opening_hours} time_zone={center.time_zone} />}
        {pool_lengths_m && (
          <p className="figures mt-2.5 text-ink-soft">
            {t('center.pools', { lengths: pool_lengths_m.map(pool).join(' · ') })}
          </p>
        )}
        {other_names.length > 0 && (
          <p className="mt-2.5 text-label text-ink-soft">
            {t('center.alsoCalled', { names: other_names.join(' · ') })}
          </p>
        )}
      </div>
    </>
  );
}

/** The center's source no longer lists it. Activities recorded here stay. */
function Closed({ since }: { since: string }) {
  const { t } = useTranslation('sport-centers');
  const locale = useLocale();
  const date = formatLongDateOf(since, locale);
  return (
    <p className="flex items-start gap-2.5 rounded-lg bg-danger-tint px-4 py-3 text-danger-ink">
      <Icon name="warning" size={22} className="mt-0.5 shrink-0" />
      <span>
        <strong className="block font-semibold">{t('center.closedSince', { date })}</strong>
        <span className="text-label">{t('center.closedText')}</span>
      </span>
    </p>
  );
}
