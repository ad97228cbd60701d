import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import { boundingBox } from '@sendlap/domain/geo.ts';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '#web/shared/ui/Badge.tsx';
import { Card } from '#web/shared/ui/Card.tsx';
import { ErrorState } from '#web/shared/ui/ErrorState.tsx';
import { Icon } from '#web/shared/ui/Icon.tsx';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { Skeleton } from '#web/shared/ui/Skeleton.tsx';
import { CenterContact } from './CenterContact.tsx';
import { formatAge } from './format-age.ts';
import { sportCenterQuery } from './queries.ts';
import type { Camera } from './use-center-search.ts';

const CenterMap = lazy(() => import('./CenterMap.tsx').then((module) => ({ default: module.CenterMap })));
const MAP_RADIUS_KM = 1.2;

interface SportCenterPageProps {
  center_id: string;
  onBack: () => void;
  /** The way to begin an activity here; the app puts it in, for it belongs to another feature. */
  renderStart?: (center: SportCenter) => ReactNode;
}

/** One center: what it is, where, how to reach it, what counts there. */
export function SportCenterPage({ center_id, onBack, renderStart }: SportCenterPageProps) {
  const { t } = useTranslation('sport-centers');
  const { data, error, refetch } = useQuery(sportCenterQuery(center_id));
  return (
    <Screen title={data?.center.name ?? t('title')} onBack={onBack}>
      {data && <Center center={data.center} cached_at={data.cached_at} renderStart={renderStart} />}
      {!data && error && <ErrorState title={t('error.center')} error={error} onRetry={() => void refetch()} />}
      {!data && !error && <CenterSkeleton />}
    </Screen>
  );
}

interface CenterProps {
  center: SportCenter;
  cached_at: number | null;
  renderStart: SportCenterPageProps['renderStart'];
}

function Center({ center, cached_at, renderStart }: CenterProps) {
  const { t, i18n } = useTranslation(['sport-centers', 'shell']);
  return (
    <article className="flex flex-col gap-4 wide:grid wide:grid-cols-[1fr_minmax(340px,420px)] wide:items-start wide:gap-6">
      <Picture center={center} />
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap gap-2">
          {center.sport_facilities.map(({ id, type }) => (
            <Badge
              key={id}
              tone={type === 'climbing' ? 'climb' : 'swim'}
              icon={type === 'climbing' ? 'mountain' : 'wave'}
            >
              {t(`shell:sport.${type}`)}
            </Badge>
          ))}
          {center.is_private !== null && <Badge tone="outline">{t(center.is_private ? 'private' : 'public')}</Badge>}
        </div>
        {cached_at !== null && (
          <p className="flex items-center gap-2 text-[15px] text-ink-soft">
            <Icon name="offline" size={20} />
            {t('center.offline', { age: formatAge(cached_at, Date.now(), i18n.language) })}
          </p>
        )}
        {renderStart && <div className="flex flex-col gap-2">{renderStart(center)}</div>}
        <CenterContact center={center} />
        <Card as="section" tone="sunken">
          <h2 className="flex items-center gap-2 font-semibold">
            <Icon name="shield" size={22} className="text-gold-ink" />
            {t('center.proofTitle')}
          </h2>
          <p className="mt-2 text-[15px] text-ink-soft">{t('center.proofReferee')}</p>
          <p className="mt-2 text-[15px] text-ink-soft">{t('center.proofFriend')}</p>
        </Card>
        <p className="px-1 text-xs text-ink-faint">
          {t('center.source')}: {t('center.sourceText', { attribution: center.attribution, licence: center.licence })}
        </p>
      </div>
    </article>
  );
}

/** A still map of the spot. Whoever cannot see it has the address beside it. */
function Picture({ center }: { center: SportCenter }) {
  const { t } = useTranslation('sport-centers');
  const camera: Camera = useMemo(() => ({ box: boundingBox(center, MAP_RADIUS_KM), is_in_sight: false }), [center]);
  const none = useMemo(() => [], []);
  return (
    <div className="relative h-48 overflow-hidden rounded-lg bg-swim-tint wide:h-[420px]">
      <Suspense fallback={null}>
        <CenterMap
          label={t('map.label')}
          centers={none}
          selected={center}
          me={null}
          origin={center}
          camera={camera}
          is_still
        />
      </Suspense>
      <p className="absolute bottom-0 left-0 rounded-tr-sm bg-surface/85 px-1.5 text-[11px] leading-4.5 text-ink-soft">
        {t('attribution')}
      </p>
    </div>
  );
}

function CenterSkeleton() {
  const { t } = useTranslation('shell');
  return (
    <div role="status" className="flex flex-col gap-4">
      <span className="sr-only">{t('loading')}</span>
      <Skeleton className="h-48 rounded-lg" />
      <Skeleton className="h-7 w-52 rounded-full" />
      <Skeleton className="h-18 rounded-xl" />
      <Skeleton className="h-40 rounded-lg" />
    </div>
  );
}
