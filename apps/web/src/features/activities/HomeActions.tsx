import { Link } from 'wouter';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { codePath, PATHS } from '#web/shared/paths.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Button, buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import type { ActivityView } from './record/activity-view.ts';
import { formatClock } from './record/times.ts';
import { useStart } from './record/use-start.ts';
import { findUsualStart } from './record/usual-start.ts';
import { confirmationDeadline, unconfirmedState } from './record/week.ts';

interface HomeActionsProps {
  /** Newest start first; none of them runs. */
  activities: readonly ActivityView[];
  /** ms epoch by the server's clock. */
  now: number;
}

/** The next actions of an athlete: show the code of an unconfirmed activity, or start the usual sport at the usual center. */
export function HomeActions({ activities, now }: HomeActionsProps) {
  const waiting = activities
    .filter((activity) => activity.potential_points > 0 && unconfirmedState(activity, now) === 'waiting')
    .sort((a, b) => deadlineOf(a) - deadlineOf(b));
  return (
    <>
      <WaitingCard waiting={waiting} />
      <UsualStartButton activities={activities} is_second={waiting.length > 0} />
    </>
  );
}

/** Until when a finished activity can be confirmed, ms epoch. */
function deadlineOf({ ended_at, appealed_at }: ActivityView): number {
  return confirmationDeadline({ ended_at: ended_at ?? '', appealed_at });
}

/** The activities that wait for their confirmation, with the code of the first, whose time is over first. */
function WaitingCard({ waiting }: { waiting: readonly ActivityView[] }) {
  const { t } = useTranslation('activities');
  const locale = useLocale();
  const [first] = waiting;
  if (!first) return null;
  const { client_id, sport_center_name: center } = first;
  const time = formatClock(deadlineOf(first), locale);
  return (
    <Card as="section" tone="accent" aria-labelledby="waiting-title" className="flex flex-col gap-3 rounded-xl">
      <div className="px-1">
        <h2 id="waiting-title" className="figures font-bold text-accent-ink">
          {t('dashboard.waiting', { count: waiting.length })}
        </h2>
        <p className="mt-0.5 [overflow-wrap:anywhere]">{t('dashboard.waitingText', { center, time })}</p>
      </div>
      <Link href={codePath(client_id)} className={buttonClasses('primary', 'lg', true)}>
        <Icon name="qr" size={28} />
        {t('finished.showCode')}
      </Link>
    </Card>
  );
}

/** Starts the usual sport at the usual center in one tap; the screen that opens can delete it again. */
function UsualStartButton({ activities, is_second }: Pick<HomeActionsProps, 'activities'> & { is_second: boolean }) {
  const { t } = useTranslation('activities');
  const { saving, start } = useStart();
  const usual = findUsualStart(activities);
  const [sport] = usual?.center.sports ?? [];
  if (!usual || !sport) return null;
  const { center, intensity } = usual;
  const { tone, icon } = SPORT_LOOKS[sport];
  return (
    <div>
      <Button
        kind={is_second ? 'secondary' : tone}
        size="lg"
        icon={icon}
        wide
        busy={saving !== null}
        onClick={() => void start(center, sport, intensity)}
        className="py-3"
      >
        {t(`start.${sport}`)} <span className="block text-label font-medium">{center.name}</span>
      </Button>
      <Link href={PATHS.sportCenters} className={`${buttonClasses('quiet', 'sm', true)} mt-1`}>
        {t('dashboard.elsewhere')}
      </Link>
    </div>
  );
}
