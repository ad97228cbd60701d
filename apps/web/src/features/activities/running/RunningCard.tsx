import { Link, useLocation } from 'wouter';
import { useHoldUpdates } from '#web/shared/device/hold-updates.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { activityPath } from '#web/shared/paths.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import type { ActivityView } from '../record/activity-view.ts';
import { Timer } from './Timer.tsx';
import { useFinish } from './use-finish.tsx';

/** The running activity on the home screen: time, center, and its two actions (open, finish). */
export function RunningCard({ activity }: { activity: ActivityView }) {
  const { t } = useTranslation('activities');
  const [, navigate] = useLocation();
  const { tone, tint, icon, ink } = SPORT_LOOKS[activity.sport_type];
  const path = activityPath(activity.client_id);
  const { finishing, finish, stop_sheet } = useFinish(activity, () => navigate(path));
  useHoldUpdates(true);

  return (
    <section className={`overflow-hidden rounded-xl ${tint}`}>
      <Link href={path} className="block px-5 pt-4 pb-3">
        <p className={`flex items-center gap-2 text-label font-semibold ${ink}`}>
          <Icon name={icon} size={22} />
          {t('dashboard.running')}
        </p>
        <Timer since={activity.started_at} className="mt-1 text-[min(3.75rem,15vw)] leading-none font-bold" />
        <p className="mt-1 flex items-center gap-1 font-semibold">
          <span className="min-w-0 truncate">{activity.sport_center_name}</span>
          <Icon name="chevron-right" size={20} className="shrink-0 text-ink-soft" />
        </p>
      </Link>
      <div className="px-4 pb-4">
        <Button kind={tone} size="lg" icon="stop" wide busy={finishing} onClick={finish}>
          {t('running.finish')}
        </Button>
        <p className="mt-2 flex items-center justify-center gap-1.5 text-sm text-ink-soft">
          <Icon name="qr" size={16} />
          {t('dashboard.codeAfterFinish')}
        </p>
      </div>
      {stop_sheet}
    </section>
  );
}
