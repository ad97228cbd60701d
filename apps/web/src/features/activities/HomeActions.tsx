import { Link } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { codePath } from '#web/shared/paths.ts';
import { useDeadline } from '#web/shared/time/use-deadline.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import type { ActivityView } from './data/activity-view.ts';
import { UsualStart } from './UsualStart.tsx';
import { deadlineOf, findWaiting } from './waiting.ts';

interface HomeActionsProps {
  /** Newest start first; none of them runs. */
  activities: readonly ActivityView[];
  /** ms epoch by the server's clock. */
  now: number;
}

/** The next actions of an athlete: show the code of an unconfirmed activity, or start the usual sport at the usual center. */
export function HomeActions({ activities, now }: HomeActionsProps) {
  const waiting = findWaiting(activities, now);
  return (
    <>
      {waiting[0] && <WaitingCard first={waiting[0]} count={waiting.length} />}
      <UsualStart activities={activities} is_second={waiting.length > 0} />
    </>
  );
}

/** The activities that wait for their confirmation, with the code of the first, whose time is over first. */
function WaitingCard({ first, count }: { first: ActivityView; count: number }) {
  const { t } = useTranslation('activities');
  const { client_id, sport_center_name: center } = first;
  const time = useDeadline(deadlineOf(first));
  return (
    <Card as="section" tone="accent" aria-labelledby="waiting-title" className="flex flex-col gap-3 rounded-xl">
      <div className="px-1">
        <h2 id="waiting-title" className="figures font-bold text-accent-ink">
          {t('dashboard.waiting', { count })}
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
