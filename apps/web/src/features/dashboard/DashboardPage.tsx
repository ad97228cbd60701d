import type { Dashboard } from '@sendlap/contract/dashboard.ts';
import { MINUTE_MS } from '@sendlap/domain/durations.ts';
import { shortName } from '@sendlap/domain/names.ts';
import type { ReactNode } from 'react';
import { useUser } from '#web/shared/api/use-session.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { formatAge } from '#web/shared/time/format-age.ts';
import { useNow } from '#web/shared/time/use-now.ts';
import { ErrorState } from '#web/shared/ui/feedback/ErrorState.tsx';
import { Loading } from '#web/shared/ui/feedback/Loading.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { SkillsCard } from './SkillsCard.tsx';
import { TrendCard } from './TrendCard.tsx';
import { type LocalWeeks, mergeTrend } from './trend-weeks.ts';
import type { DashboardState } from './use-dashboard.ts';
import { WeekCard } from './WeekCard.tsx';

/** The parts of the home screen that come from other features. */
interface DashboardSlots {
  /** Shown first: the running activity, or the first steps of a new user. */
  first: ReactNode;
  rank: ReactNode;
  recent: ReactNode;
  badges: ReactNode;
}

interface DashboardPageProps {
  state: DashboardState;
  /** The activities, which are shown first, are still loading. */
  loading: boolean;
  /** Why no activities can be shown. */
  error: unknown;
  /** When the shown activities were fetched, ms epoch; null: up to date. */
  cached_at: number | null;
  onRetry: () => void;
  local: LocalWeeks;
  /** An activity has points, or would have with a confirmation: before, the week is a zero. */
  has_week: boolean;
  /** An activity was confirmed: before, the standing would be a wall of zeros. */
  has_points: boolean;
  slots: DashboardSlots;
  /** Actions beside the title. */
  actions?: ReactNode;
}

/** Home: the running activity, this week's standing, the latest activities, and the next goals. */
export function DashboardPage({ loading, error, onRetry, actions, cached_at, ...content }: DashboardPageProps) {
  const { t } = useTranslation('dashboard');
  const name = shortName(useUser().name);
  const failed = error ? <ErrorState title={t('failed')} error={error} onRetry={onRetry} /> : null;
  const ages = [content.state.cached_at, cached_at].filter((age) => age !== null);
  const note = !loading && ages.length > 0 && <UpdatedAt at={Math.min(...ages)} />;
  return (
    <Screen title={name ? t('greeting', { name }) : t('title')} actions={actions} note={note}>
      {loading ? <DashboardSkeleton /> : failed || <DashboardContent {...content} />}
    </Screen>
  );
}

type ContentProps = Pick<DashboardPageProps, 'state' | 'local' | 'has_week' | 'has_points' | 'slots'>;

/**
 * Two columns on a wide screen, one on a phone, in the same order. The week unfolds with the first points to come, level,
 * rank and streak with the first points.
 */
function DashboardContent({ state, local, has_week, has_points, slots }: ContentProps) {
  const { t } = useTranslation('dashboard');
  const { dashboard, error, retry } = state;
  return (
    <div className="grid grid-cols-1 content-start gap-4 pt-3 wide:grid-cols-2 wide:gap-6">
      <div className="flex min-w-0 flex-col gap-4">
        {slots.first}
        {has_week && <WeekCard week={local.current} state={state} has_points={has_points} rank={slots.rank} />}
        {slots.recent}
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        {error ? <ErrorState title={t('failed')} error={error} onRetry={retry} /> : null}
        {!dashboard && !error && has_points && (
          <Loading>
            <StandingSkeleton />
          </Loading>
        )}
        {dashboard && <Standing dashboard={dashboard} local={local} badges={slots.badges} />}
      </div>
    </div>
  );
}

interface StandingProps {
  dashboard: Dashboard;
  local: LocalWeeks;
  badges: ReactNode;
}

/** Badges, skills and trend, each from the moment on when it has something to show: a new user sees no wall of zeros. */
function Standing({ dashboard, local, badges }: StandingProps) {
  const weeks = mergeTrend(dashboard.trend, local);
  return (
    <>
      {dashboard.badges.earned > 0 && badges}
      {dashboard.skills.axes.some(({ value }) => value > 0) && <SkillsCard skills={dashboard.skills} />}
      {weeks.some(({ points, unconfirmed }) => points + unconfirmed > 0) && <TrendCard weeks={weeks} />}
    </>
  );
}

/** Shown while the server can't be reached: the age of the data. */
function UpdatedAt({ at }: { at: number }) {
  const { t } = useTranslation('dashboard');
  const locale = useLocale();
  const now = useNow(Date.now);
  return (
    <p className="flex items-center gap-1.5 text-[min(0.875rem,4.5vw)] leading-none text-ink-soft">
      <Icon name="offline" size={16} className="shrink-0" />
      {now - at < MINUTE_MS ? t('offlineNow') : t('offline', { age: formatAge(at, now, locale) })}
    </p>
  );
}

function DashboardSkeleton() {
  return (
    <Loading className="grid content-start gap-4 pt-3 wide:grid-cols-2 wide:gap-6">
      <div className="flex flex-col gap-2">
        <Skeleton className="mb-2 h-[26rem] rounded-xl" />
        <Skeleton className="mb-1 h-7 w-44" />
        <Skeleton className="h-20 rounded-lg" />
        <Skeleton className="h-20 rounded-lg" />
      </div>
      <StandingSkeleton />
    </Loading>
  );
}

/** The placeholder of badges, radar and trend. */
function StandingSkeleton() {
  return (
    <div aria-hidden="true" className="flex flex-col gap-4">
      <Skeleton className="h-72 rounded-xl" />
      <Skeleton className="h-[28rem] rounded-xl" />
      <Skeleton className="h-72 rounded-xl" />
    </div>
  );
}
