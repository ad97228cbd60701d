import { Link, useLocation } from 'wouter';
import { useHoldUpdates } from '#web/shared/device/hold-updates.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { activityPath } from '#web/shared/paths.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import type { ActivityView } from '../data/activity-view.ts';
import { RunningControls } from './RunningControls.tsx';
import { RestTimer, Timer } from './Timer.tsx';
import { useDraft } from './use-draft.ts';
import { useFinish } from './use-finish.tsx';

/** The running activity on the home screen: time, center, and its actions (open, pause, finish). */
export function RunningCard({ activity }: { activity: ActivityView }) {
  const { t } = useTranslation('activities');
  const [, navigate] = useLocation();
  const { tone, tint, icon, ink } = SPORT_LOOKS[activity.sport_type];
  const path = activityPath(activity.client_id);
  const { draft, pauses, is_paused, togglePause } = useDraft(activity);
  const { finishing, finish, stop_sheet } = useFinish({ ...activity, draft }, () => navigate(path));
  useHoldUpdates(true);

  return (
    <section className={`overflow-hidden rounded-xl ${is_paused ? 'bg-sunken' : tint}`}>
      <Link href={path} className="block px-5 pt-4 pb-3">
        <p className={`flex items-center gap-2 text-label font-semibold ${ink}`}>
          <Icon name={is_paused ? 'pause' : icon} size={22} />
          {t(is_paused ? 'running.paused' : 'dashboard.running')}
        </p>
        <Timer
          since={activity.started_at}
          pauses={pauses}
          className="mt-1 text-[min(3.75rem,15vw)] leading-none font-bold"
        />
        <RestTimer since={activity.started_at} pauses={pauses} className="mt-1 text-label text-ink-soft" />
        <p className="mt-1 flex items-center gap-1 font-semibold">
          <span className="min-w-0 wrap-break-word">{activity.sport_center_name}</span>
          <Icon name="chevron-right" size={20} className="shrink-0 text-ink-soft" />
        </p>
      </Link>
      <div className="px-4 pb-4">
        <RunningControls
          tone={tone}
          is_paused={is_paused}
          finishing={finishing}
          onTogglePause={togglePause}
          onFinish={finish}
        />
        <p className="mt-2 flex items-center justify-center gap-1.5 text-sm text-ink-soft">
          <Icon name="qr" size={16} />
          {t('dashboard.codeAfterFinish')}
        </p>
      </div>
      {stop_sheet}
    </section>
  );
}
