import { isoWeekAt } from '@sendlap/domain/dates.ts';
import { findRunning } from '#web/features/activities/data/activity-view.ts';
import { newestPartialWeek } from '#web/features/activities/data/queries.ts';
import { useActivities } from '#web/features/activities/data/use-activities.ts';
import { pointsByWeek, type WeekPoints } from '#web/features/activities/data/week.ts';
import { NoActivities } from '#web/features/activities/FirstSteps.tsx';
import { HomeActions } from '#web/features/activities/HomeActions.tsx';
import { RecentActivities } from '#web/features/activities/history/RecentActivities.tsx';
import { RunningCard } from '#web/features/activities/running/RunningCard.tsx';
import { BadgesCard } from '#web/features/badges/BadgesCard.tsx';
import { DashboardPage } from '#web/features/dashboard/DashboardPage.tsx';
import { useDashboard } from '#web/features/dashboard/use-dashboard.ts';
import { RankChip } from '#web/features/leaderboards/RankChip.tsx';
import { ScanLink } from '#web/features/qr/scan/ScanLink.tsx';
import { TourOffer } from '#web/features/tour/TourOffer.tsx';
import { useTourProgress } from '#web/features/tour/use-tour-progress.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { useRefereeRights } from '#web/shared/data/referee-rights.ts';
import { deviceTimeZone } from '#web/shared/device/time-zone.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import { lazyPart } from '#web/shared/ui/feedback/lazy-part.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';

/** Only referees load its code. */
const RefereeCard = lazyPart(
  () => import('#web/features/qr/decisions/RefereeCard.tsx').then((m) => m.RefereeCard),
  ['qr'],
  { loading: <Skeleton className="h-45 rounded-xl" /> },
);

const NO_POINTS: WeekPoints = { validated: 0, unconfirmed: 0, waiting: 0 };

/**
 * Home: the user's activities, the week's points and rank from the server, and links to the boards, badges and scanner.
 */
export function DashboardScreen() {
  const { activities, loading, error, unread, cached_at, retry } = useActivities();
  const now = useServerNow();
  const dashboard_state = useDashboard(now);
  const { dashboard, is_current_week } = dashboard_state;
  // Without the server's answer, the week is that of this device's time zone.
  const time_zone = dashboard?.week.time_zone ?? deviceTimeZone();
  const by_week = pointsByWeek(activities, now, time_zone);
  const current_key = isoWeekAt(now, time_zone);
  const local_week = by_week.get(current_key) ?? NO_POINTS;
  // The dashboard of another week is an old copy.
  const points = dashboard && is_current_week ? dashboard.week.points : local_week.validated;
  // After a confirmation its points are shown as waiting until the server's new sum arrives, so that the ring does not
  // drop.
  const uncounted = dashboard_state.refreshing ? Math.max(0, local_week.validated - points) : 0;
  const running = findRunning(activities);
  const user = useUser();
  const tour = useTourProgress(user.id);
  const rank = dashboard?.rank_known === false ? 'unreadable' : dashboard?.rank;
  const { rights, rights_loading } = useRefereeRights(user.id);
  const is_referee = rights !== null && rights.length > 0;
  const has_points = dashboard ? dashboard.lifetime_points > 0 : activities.some(({ points }) => points > 0);
  const retryAll = () => {
    retry();
    dashboard_state.retry();
  };
  const first = (
    <>
      {running && <RunningCard activity={running} />}
      {is_referee && <RefereeCard />}
      {!running && <HomeActions activities={activities} now={now} />}
      {activities.length === 0 && <NoActivities unread={unread} retry={retryAll} />}
      <TourOffer held={running !== null} />
    </>
  );
  return (
    <DashboardPage
      // One problem is enough, and its Retry is for both.
      state={unread?.error ? { ...dashboard_state, error: null } : dashboard_state}
      // The tour's offer and the referee's card are above the week: read later, they would push the week down.
      loading={loading || !tour.progress || rights_loading}
      has_week={has_points || activities.some(({ potential_points }) => potential_points > 0)}
      has_points={has_points}
      error={error}
      cached_at={cached_at}
      onRetry={retry}
      local={{
        current_key,
        current: {
          points,
          unconfirmed: local_week.unconfirmed + uncounted,
          waiting: local_week.waiting + uncounted,
        },
        by_week,
        newest_partial_key: newestPartialWeek(activities, time_zone),
      }}
      slots={{
        first,
        rank: <RankChip rank={is_current_week ? rank : undefined} />,
        recent: <RecentActivities activities={activities.filter((activity) => activity !== running)} now={now} />,
        badges: dashboard && <BadgesCard badges={dashboard.badges} is_current_week={is_current_week} />,
      }}
      actions={!is_referee && <ScanLink />}
    />
  );
}
