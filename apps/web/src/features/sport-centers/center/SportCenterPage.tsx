import type { SportCenter, SportCenterDetail } from '@sendlap/contract/sport-centers.ts';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { ApiError, isServerRefusal } from '#web/shared/api/errors.ts';
import { shareOrCopy } from '#web/shared/device/share.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS, sportCenterPath } from '#web/shared/paths.ts';
import { buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { IconButton } from '#web/shared/ui/controls/IconButton.tsx';
import { EmptyState } from '#web/shared/ui/feedback/EmptyState.tsx';
import { ErrorState } from '#web/shared/ui/feedback/ErrorState.tsx';
import { Loading } from '#web/shared/ui/feedback/Loading.tsx';
import { OfflineAge } from '#web/shared/ui/feedback/OfflineAge.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { useSportCenter } from '../search/use-sport-center.ts';
import { CenterContact } from './CenterContact.tsx';
import { CenterFacts } from './CenterFacts.tsx';
import { CenterMapPreview } from './CenterMapPreview.tsx';

/** The id is unknown (404) or malformed (400). */
const UNKNOWN_STATUSES = [404, 400];
/** The attribution of the centers that come with the app; only its texts are ours to translate. */
const OWN_ATTRIBUTION = 'Facts written by hand by the Sendlap project';

/** The parts of a center's page that other features render; the app passes them in. */
export interface CenterSlots {
  /** Starts an activity here. */
  renderStart?: (center: SportCenter) => ReactNode;
  renderFriends?: (center: SportCenter) => ReactNode;
  renderBoard?: (center: SportCenter) => ReactNode;
  /** Who can confirm an activity here; shown to visitors too. */
  renderProofs?: (center: SportCenter) => ReactNode;
}

interface SportCenterPageProps extends CenterSlots {
  center_id: string;
  onBack: () => void;
}

/** One center: facts, map, contact, friends who are there, and its board. */
export function SportCenterPage({ center_id, onBack, ...slots }: SportCenterPageProps) {
  const { t } = useTranslation('sport-centers');
  const { data, outdated_at, error, refetch } = useSportCenter(center_id);
  const isUnknown = error instanceof ApiError && isServerRefusal(error) && UNKNOWN_STATUSES.includes(error.status);
  return (
    <Screen title={data?.name ?? t('title')} onBack={onBack} actions={data && <ShareCenter center={data} />}>
      {data && <Center center={data} cached_at={outdated_at} slots={slots} />}
      {/* A retry is useless here, so the page offers the search. */}
      {!data && isUnknown && (
        <EmptyState
          icon="map-pin"
          title={t('error.unknownTitle')}
          text={t('error.unknownText')}
          action={
            <Link href={PATHS.sportCenters} className={buttonClasses('secondary', 'sm')}>
              {t('center.back')}
            </Link>
          }
        />
      )}
      {!data && error && !isUnknown && (
        <ErrorState
          title={t('error.center')}
          error={error}
          onRetry={() => void refetch()}
          offline={{ title: t('error.offlineCenter'), text: t('error.offlineText') }}
        />
      )}
      {!data && !error && <CenterSkeleton />}
    </Screen>
  );
}

/** Two where they have room beside the list. */
const COLUMNS =
  'wide:@min-[640px]:grid wide:@min-[640px]:grid-cols-[1fr_clamp(300px,50%,420px)] wide:@min-[640px]:items-start wide:@min-[640px]:gap-x-6';

interface CenterProps {
  center: SportCenterDetail;
  /** When it was read (ms epoch), if it may be out of date; null: it is not. */
  cached_at: number | null;
  slots: CenterSlots;
}

function Center({ center, cached_at, slots }: CenterProps) {
  const { renderStart, renderFriends, renderBoard, renderProofs } = slots;
  const { t } = useTranslation('sport-centers');
  const attribution = center.attribution === OWN_ATTRIBUTION ? t('center.ownAttribution') : center.attribution;
  const canStart = renderStart && center.closed_at === null;
  return (
    <div className="@container">
      <article className={`flex flex-col gap-4 ${COLUMNS} wide:@min-[640px]:grid-rows-[auto_auto_1fr]`}>
        <div className="wide:@min-[640px]:row-span-2">
          <CenterMapPreview center={center} />
        </div>
        <div className="flex flex-col gap-4 wide:@min-[640px]:col-start-2">
          <CenterFacts center={center} />
          {canStart && renderStart(center)}
          {/* It may come late: the button stays where a thumb already aims at it. */}
          {cached_at !== null && <OfflineAge cached_at={cached_at} />}
          {renderFriends?.(center)}
        </div>
        <div className="wide:@min-[640px]:col-start-1 wide:@min-[640px]:row-start-3">
          <CenterContact center={center} />
        </div>
        <div className="flex flex-col gap-4 wide:@min-[640px]:col-start-2 wide:@min-[640px]:row-span-2 wide:@min-[640px]:row-start-2">
          {renderBoard?.(center)}
          {renderProofs?.(center)}
          <p className="px-1 text-xs text-ink-faint">
            {t('center.source')}: {t('center.sourceText', { attribution, licence: center.licence })}
          </p>
        </div>
      </article>
    </div>
  );
}

function CenterSkeleton() {
  return (
    <Loading className="@container">
      <div className={`flex flex-col gap-4 ${COLUMNS}`}>
        <Skeleton className="h-48 rounded-lg wide:@min-[640px]:h-[420px]" />
        <div className="flex flex-col gap-4">
          <Skeleton className="h-7 w-52 rounded-full" />
          <Skeleton className="h-18 rounded-xl" />
          <Skeleton className="h-40 rounded-lg" />
        </div>
      </div>
    </Loading>
  );
}

/** Shares the center's address with the system's share sheet or, without one, by copying it. */
function ShareCenter({ center: { id, name } }: { center: Pick<SportCenter, 'id' | 'name'> }) {
  const { t } = useTranslation('sport-centers');
  const url = location.origin + sportCenterPath(id);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(url);
      toast({ title: t('center.linkCopied'), tone: 'success' });
    } catch {
      // Over plain http there is no clipboard: show the address, to be copied by hand.
      toast({ title: t('center.linkNotCopied'), description: url, timeout_ms: 0 });
    }
  }

  return (
    <IconButton icon="share" label={t('center.share')} onClick={() => void shareOrCopy({ title: name, url }, copy)} />
  );
}
