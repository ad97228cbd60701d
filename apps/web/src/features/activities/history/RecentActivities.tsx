import { Link } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import type { ActivityView } from '../data/activity-view.ts';
import { ActivityRows } from './ActivityRow.tsx';

const RECENT_COUNT = 5;

interface RecentActivitiesProps {
  /** Newest start first; the first few are shown. */
  activities: ActivityView[];
  /** ms epoch by the server's clock. */
  now: number;
}

/** The latest activities, for the home screen, with a link to all of them. */
export function RecentActivities({ activities, now }: RecentActivitiesProps) {
  const { t } = useTranslation('activities');
  if (activities.length === 0) return null;
  return (
    <section className="min-w-0">
      <div className="mb-1 flex flex-wrap items-center justify-between gap-x-2 px-1">
        <h2 className="text-xl font-bold">{t('dashboard.recent')}</h2>
        <Link
          href={PATHS.history}
          data-tour="history"
          className="pressable flex min-h-12 items-center gap-0.5 rounded-md px-2 font-semibold text-accent-ink"
        >
          {t('dashboard.all')}
          <Icon name="chevron-right" size={20} />
        </Link>
      </div>
      <ActivityRows activities={activities.slice(0, RECENT_COUNT)} now={now} />
    </section>
  );
}
