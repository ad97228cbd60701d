import { Link } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useOutbox } from '#web/shared/outbox/use-outbox.ts';
import { activityPath } from '#web/shared/paths.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { type ActivityView, findRunning } from './data/activity-view.ts';
import { useActivities } from './data/use-activities.ts';
import type { StartCenter } from './ops/activity-ops.ts';
import { useStart } from './use-start.ts';

/** Starts an activity at a center, with a button for each sport that the center offers. Works offline. */
export function StartActivity({ center }: { center: StartCenter }) {
  const { t } = useTranslation('activities');
  const { activities, loading } = useActivities();
  const { storage_error } = useOutbox();
  const running = findRunning(activities);
  if (running) return <AlreadyRunning activity={running} is_here={running.sport_center_id === center.id} />;
  if (loading && storage_error === null) return <Skeleton className="h-18 rounded-xl" />;
  return (
    <section aria-label={t('start.title')}>
      <StartButtons center={center} />
    </section>
  );
}

function StartButtons({ center }: { center: StartCenter }) {
  const { t } = useTranslation('activities');
  const { saving, start } = useStart();
  return (
    <div className="flex flex-col gap-3 sm:flex-row">
      {center.sports.map((sport) => (
        <Button
          key={sport}
          kind={SPORT_LOOKS[sport].tone}
          icon={SPORT_LOOKS[sport].icon}
          size="lg"
          wide
          busy={saving === sport}
          disabled={saving !== null && saving !== sport}
          onClick={() => void start(center, sport)}
        >
          {t(`start.${sport}`)}
        </Button>
      ))}
    </div>
  );
}

/**
 * The server accepts no second running activity. About as high as the button in whose place it is shown. `is_here`: it
 * runs at the center of this page, whose name is above.
 */
function AlreadyRunning({ activity, is_here }: { activity: ActivityView; is_here: boolean }) {
  const { t } = useTranslation(['activities', 'shell']);
  const { icon, tint, ink } = SPORT_LOOKS[activity.sport_type];
  const sport = t(`shell:sport.${activity.sport_type}`);
  return (
    <Link
      href={activityPath(activity.client_id)}
      className={`pressable flex min-h-18 items-center gap-4 rounded-xl px-5 py-2 ${tint}`}
    >
      <Icon name={icon} className={`shrink-0 ${ink}`} />
      <span className="min-w-0 flex-1">
        <span className={`block font-bold ${ink}`}>{t('start.busyTitle')}</span>
        <span className="block text-label wrap-break-word">
          {is_here ? sport : t('start.busyText', { sport, center: activity.sport_center_name })}
        </span>
      </span>
      <Icon name="chevron-right" size={20} className="shrink-0 text-ink-soft" />
    </Link>
  );
}
