import type { StaffedCenter } from '@sendlap/contract/server-management/overview.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { isolate } from '#web/shared/i18n/format-message.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { centerManagementPath, PATHS } from '#web/shared/paths.ts';
import { formatAge } from '#web/shared/time/format-age.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import { buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { LinkRow } from '#web/shared/ui/controls/LinkRow.tsx';
import { EmptyState } from '#web/shared/ui/feedback/EmptyState.tsx';
import { LoadingOrError } from './LoadingOrError.tsx';
import { centersQuery } from './queries.ts';
import { ServerManagementScreen } from './ServerManagementScreen.tsx';

/** The centers where a referee or a kiosk confirms activities; each leads to the page where that is changed. */
export function CentersPage() {
  const { t } = useTranslation('server-management');
  const { data, error, refetch } = useQuery(centersQuery);
  return (
    <ServerManagementScreen title={t('centers.title')} back={PATHS.serverManagement}>
      {data ? <Centers centers={data.items} /> : <LoadingOrError error={error} onRetry={() => void refetch()} />}
      {/* With the list, which would push it down. */}
      {(data || error) && (
        <Link href={PATHS.sportCenters} className={buttonClasses('secondary', 'sm', true)}>
          {t('centers.all')}
        </Link>
      )}
    </ServerManagementScreen>
  );
}

function Centers({ centers }: { centers: StaffedCenter[] }) {
  const { t } = useTranslation('server-management');
  const locale = useLocale();
  const now = useServerNow();
  if (centers.length === 0)
    return <EmptyState icon="map-pin" title={t('centers.none.title')} text={t('centers.none.text')} />;
  const describe = ({ referees, kiosks, kiosk_used_at, is_closed, city }: StaffedCenter) =>
    [
      city && isolate(city),
      is_closed && t('centers.closed'),
      referees > 0 && t('centers.referees', { count: referees }),
      kiosks > 0 && t('centers.kiosks', { count: kiosks }),
      kiosk_used_at && t('centers.used', { age: formatAge(Date.parse(kiosk_used_at), now, locale) }),
    ]
      .filter(Boolean)
      .join(' · ');
  return (
    <ul className="flex flex-col gap-2">
      {centers.map((center) => (
        <li key={center.id}>
          <LinkRow
            href={centerManagementPath(center.id)}
            icon="map-pin"
            title={center.name}
            text={describe(center)}
            className="bg-surface"
          />
        </li>
      ))}
    </ul>
  );
}
