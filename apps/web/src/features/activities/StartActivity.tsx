import { Link } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { activityPath } from '#web/shared/paths.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Button, buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import type { StartCenter } from './record/activity-ops.ts';
import { type ActivityView, findRunning } from './record/activity-view.ts';
import { useActivities } from './record/use-activities.ts';
import { useStart } from './record/use-start.ts';

/** Starts an activity at a center, with a button for each sport that the center offers. Works offline. */
export function StartActivity({ center }: { center: StartCenter }) {
  const { t } = useTranslation('activities');
  const { activities } = useActivities();
  const running = findRunning(activities);
  if (running) return <AlreadyRunning activity={running} />;
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

/** The server accepts no second running activity. */
function AlreadyRunning({ activity }: { activity: ActivityView }) {
  const { t } = useTranslation(['activities', 'shell']);
  const { tone, ink } = SPORT_LOOKS[activity.sport_type];
  const sport = t(`shell:sport.${activity.sport_type}`);
  return (
    <Card as="section" tone={tone} className="flex flex-col gap-3">
      <div>
        <h2 className={`font-bold ${ink}`}>{t('start.busyTitle')}</h2>
        <p className="mt-0.5 text-[0.9375rem]">{t('start.busyText', { sport, center: activity.sport_center_name })}</p>
      </div>
      <Link href={activityPath(activity.client_id)} className={buttonClasses(tone, 'md', true)}>
        {t('start.busyAction')}
      </Link>
    </Card>
  );
}
