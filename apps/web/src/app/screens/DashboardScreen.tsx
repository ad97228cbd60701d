import { FirstSteps } from '#web/features/activities/FirstSteps.tsx';
import { RecentActivities } from '#web/features/activities/history/RecentActivities.tsx';
import { runningOf } from '#web/features/activities/record/activity-view.ts';
import { useActivities } from '#web/features/activities/record/use-activities.ts';
import { weekPoints } from '#web/features/activities/record/week.ts';
import { RunningCard } from '#web/features/activities/running/RunningCard.tsx';
import { BadgesCard } from '#web/features/badges/BadgesCard.tsx';
import { DashboardPage } from '#web/features/dashboard/DashboardPage.tsx';
import { useDashboard } from '#web/features/dashboard/use-dashboard.ts';
import { RankChip } from '#web/features/leaderboards/RankChip.tsx';
import { ScanLink } from '#web/features/qr/scan/ScanLink.tsx';
import { TourOffer } from '#web/features/tour/TourOffer.tsx';
import { useTourProgress } from '#web/features/tour/use-tour-progress.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { deviceTimeZone } from '#web/shared/device/time-zone.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';

/** Home: my activities, where I stand by the server, and the ways to the boards, the badges and the scanner. */
export function DashboardScreen() {
  const { activities, loading, error, cached_at, retry } = useActivities();
  const now = useServerNow();
  const known = useDashboard(now);
  const { dashboard, is_present } = known;
  // Without the server's word the week is that of where this device is.
  const time_zone = dashboard?.week.time_zone ?? deviceTimeZone();
  const own = weekPoints(activities, now, time_zone);
  // What the server says of another week than this one is an old copy.
  const points = dashboard && is_present ? dashboard.week.points : own.validated;
  // Between a confirmation and the server's new sum its points go on waiting, so that the ring does not empty.
  const uncounted = known.refreshing ? Math.max(0, own.validated - points) : 0;
  const running = runningOf(activities);
  const tour = useTourProgress(useUser().id);
  const rank = dashboard?.rank_known === false ? 'unreadable' : dashboard?.rank;
  const first = (
    <>
      {running && <RunningCard activity={running} />}
      {activities.length === 0 && <FirstSteps />}
      <TourOffer held={running !== null} />
    </>
  );
  return (
    <DashboardPage
      known={known}
      // The offer of the tour stands above the week: read any later, it would push it down.
      loading={loading || !tour.progress}
      error={error}
      cached_at={cached_at}
      onRetry={retry}
      week={{ points, waiting: own.potential + uncounted }}
      slots={{
        first,
        rank: <RankChip rank={is_present ? rank : undefined} />,
        recent: <RecentActivities activities={activities.filter((activity) => activity !== running)} now={now} />,
        badges: dashboard && <BadgesCard badges={dashboard.badges} is_present={is_present} />,
      }}
      actions={<ScanLink />}
    />
  );
}
