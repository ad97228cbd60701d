import { isoWeekAt } from '@sendlap/domain/dates.ts';
import { MIN_SCORED_MINUTES } from '@sendlap/domain/scoring.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { useUser } from '#web/shared/api/use-session.ts';
import { useShown } from '#web/shared/copies/use-shown.ts';
import { deviceTimeZone } from '#web/shared/device/time-zone.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useLiveRefetch } from '#web/shared/live/use-live-refetch.ts';
import { useGoBack } from '#web/shared/navigation/use-go-back.ts';
import { PATHS } from '#web/shared/paths.ts';
import { useNow } from '#web/shared/time/use-now.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { ErrorState } from '#web/shared/ui/feedback/ErrorState.tsx';
import { Loading } from '#web/shared/ui/feedback/Loading.tsx';
import { OfflineAge } from '#web/shared/ui/feedback/OfflineAge.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { Sheet } from '#web/shared/ui/sheet/Sheet.tsx';
import { BADGE_LOOKS, FAMILIES } from './badge-families.ts';
import { Medal } from './Medal.tsx';
import { ProgressBar } from './ProgressBar.tsx';
import { type BadgeCopy, badge_copies, listBadgesQuery, refetchBadges } from './queries.ts';
import { hasProgress, useBadgeText } from './use-badge-text.ts';
import { resetWeeklyProgress } from './weekly-progress.ts';

const REFETCH_EVENTS = ['activity_changed', 'badge_earned'];

/** The shelf of all badges; the badge named in the URL is open. */
export function BadgesPage() {
  const { t } = useTranslation('badges');
  const user = useUser();
  const queries = useQueryClient();
  const [query, setQuery] = useSearchParams();
  const shelf = useQuery(listBadgesQuery(user.id));
  const { data, fetched_at, outdated_at } = useShown(shelf, useQuery(badge_copies.query(user.id)).data);
  useLiveRefetch(
    ({ type }) => REFETCH_EVENTS.includes(type),
    () => refetchBadges(queries),
  );
  const now = useNow(Date.now);
  const badges = data && badgesAsOf(now, data, fetched_at);
  const open = badges?.find(({ id }) => id === query.get('badge'));
  return (
    <Screen title={t('title')} onBack={useGoBack(PATHS.dashboard)}>
      <div className="mx-auto flex w-full max-w-[720px] flex-1 flex-col gap-6">
        {badges ? (
          <>
            {outdated_at !== null && <OfflineAge cached_at={outdated_at} />}
            <Shelf badges={badges} onOpen={(id) => setQuery({ badge: id }, { replace: true })} />
          </>
        ) : shelf.isError ? (
          <ErrorState title={t('failed')} error={shelf.error} onRetry={() => void shelf.refetch()} />
        ) : (
          <ShelfSkeleton />
        )}
      </div>
      {open && <BadgeSheet badge={open} onClose={() => setQuery({}, { replace: true })} />}
    </Screen>
  );
}

/** Adjusts badges fetched at `fetched_at` to `now` (ms epoch); weeks by this device's time zone. */
function badgesAsOf(now: number, items: BadgeCopy[], fetched_at: number): BadgeCopy[] {
  const timeZone = deviceTimeZone();
  return isoWeekAt(fetched_at, timeZone) === isoWeekAt(now, timeZone) ? items : resetWeeklyProgress(items);
}

interface ShelfProps {
  badges: BadgeCopy[];
  onOpen: (id: string) => void;
}

function Shelf({ badges, onOpen }: ShelfProps) {
  const { t } = useTranslation('badges');
  const earned = badges.filter(({ earned_at }) => earned_at !== null).length;
  return (
    <>
      <div className="px-1">
        <p className="figures text-figure leading-tight font-extrabold">
          {t('count', { earned, total: badges.length })}
        </p>
        <p className="text-label text-ink-soft">
          {t(earned === 0 ? 'empty' : 'onlyValidated', { minutes: MIN_SCORED_MINUTES })}
        </p>
      </div>
      {FAMILIES.map((family) => (
        <section key={family} aria-labelledby={`family-${family}`}>
          <h2 id={`family-${family}`} className="mb-2 px-1 text-lg font-bold">
            {t(`family.${family}`)}
          </h2>
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(6.5rem,1fr))] gap-2">
            {badges
              .filter(({ id }) => BADGE_LOOKS[id].family === family)
              .map((badge) => (
                <li key={badge.id}>
                  <BadgeTile badge={badge} onOpen={() => onOpen(badge.id)} />
                </li>
              ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function ShelfSkeleton() {
  return (
    <Loading className="flex flex-col gap-3">
      <Skeleton className="h-16 w-48" />
      <Skeleton className="h-7 w-36" />
      <div className="grid grid-cols-[repeat(auto-fill,minmax(6.5rem,1fr))] gap-2">
        {['a', 'b', 'c', 'd', 'e', 'f'].map((place) => (
          <Skeleton key={place} className="h-40 rounded-lg" />
        ))}
      </div>
    </Loading>
  );
}

/** A badge on the shelf: gold with its date, or grey with the amount left to earn it. */
function BadgeTile({ badge, onOpen }: { badge: BadgeCopy; onOpen: () => void }) {
  const text = useBadgeText();
  const { id, earned_at, progress, goal } = badge;
  return (
    <button
      type="button"
      onClick={onOpen}
      className="pressable flex h-full w-full flex-col items-center rounded-lg bg-surface px-2 pt-4 pb-3 text-center"
    >
      <Medal id={id} earned={earned_at !== null} />
      <span className={classes('mt-2 text-label leading-tight font-semibold', !earned_at && 'text-ink-soft')}>
        {text.name(id)}
      </span>
      <span className="figures mt-1 mb-2 text-caption leading-tight text-ink-soft">
        {earned_at ? text.earnedShort(earned_at) : hasProgress(id) && text.remaining(badge)}
      </span>
      {!earned_at && hasProgress(id) && (
        <span className="mt-auto block w-full max-w-24 px-1">
          <ProgressBar progress={progress} goal={goal} />
        </span>
      )}
    </button>
  );
}

/** One badge: its rule, and its date or the amount left to earn it. */
function BadgeSheet({ badge, onClose }: { badge: BadgeCopy; onClose: () => void }) {
  const { t } = useTranslation('badges');
  const text = useBadgeText();
  const { id, earned_at, progress, goal } = badge;
  return (
    <Sheet open onOpenChange={onClose} title={text.name(id)} description={text.rule(id)}>
      <div className="flex flex-col items-center gap-4 pt-2 pb-4 text-center">
        <Medal id={id} earned={earned_at !== null} size="lg" />
        {earned_at ? (
          <p className="flex items-center gap-2 font-semibold text-gold-ink">
            <Icon name="check" size={22} />
            {text.earned(earned_at)}
          </p>
        ) : (
          <>
            {hasProgress(id) && (
              <div className="w-full max-w-72">
                <ProgressBar progress={progress} goal={goal} />
                <p className="figures mt-3 flex flex-wrap justify-between gap-x-4 font-semibold">
                  <span>{text.progress(badge)}</span>
                  <span className="text-ink-soft">{text.remaining(badge)}</span>
                </p>
              </div>
            )}
            <p className="max-w-[36ch] text-sm text-ink-faint">{t('onlyValidated', { minutes: MIN_SCORED_MINUTES })}</p>
          </>
        )}
      </div>
    </Sheet>
  );
}
