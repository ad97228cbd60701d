import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { activityPath, codePath, PATHS } from '#web/shared/paths.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import { ActionIcon, navigationItemClasses } from '#web/shared/ui/controls/NavigationItem.tsx';
import { Sheet } from '#web/shared/ui/sheet/Sheet.tsx';
import { type ActivityView, findRunning } from './data/activity-view.ts';
import { useActivities } from './data/use-activities.ts';
import { UsualStart } from './UsualStart.tsx';
import { findUsualStart } from './usual-start.ts';
import { findWaiting } from './waiting.ts';

/**
 * What the user does next, in the middle of the navigation: go to the activity that runs, else show the code of the one
 * that waits for its confirmation, else start. Works offline.
 */
export function NextAction() {
  const { t } = useTranslation('activities');
  const { activities, loading } = useActivities();
  const now = useServerNow();
  const running = findRunning(activities);
  const [waiting] = findWaiting(activities, now);
  if (running) {
    const { tone, icon } = SPORT_LOOKS[running.sport_type];
    return (
      <ActionLink href={activityPath(running.client_id)} label={t('next.runningLabel')}>
        <ActionIcon name={icon} tone={tone} />
        {t('next.running')}
      </ActionLink>
    );
  }
  if (waiting)
    return (
      <ActionLink href={codePath(waiting.client_id)} label={t('next.codeLabel')}>
        <ActionIcon name="qr" tone="accent" />
        {t('next.code')}
      </ActionLink>
    );
  if (loading) return <StartPlaceholder />;
  if (findUsualStart(activities)) return <StartButton activities={activities} />;
  // A first activity begins at a center's page.
  return (
    <ActionLink href={PATHS.sportCenters} label={t('next.startLabel')}>
      <StartContent />
    </ActionLink>
  );
}

interface ActionLinkProps {
  href: string;
  /** For screen readers; begins with the text in sight. */
  label: string;
  children: ReactNode;
}

function ActionLink({ href, label, children }: ActionLinkProps) {
  const [path] = useLocation();
  return (
    <Link
      href={href}
      aria-label={label}
      aria-current={path === href && path !== PATHS.sportCenters ? 'page' : undefined}
      className={navigationItemClasses(false)}
    >
      {children}
    </Link>
  );
}

/** Asks where before it starts: the bar is pressed by mistake more easily than a button of a screen. */
function StartButton({ activities }: { activities: readonly ActivityView[] }) {
  const { t } = useTranslation('activities');
  const [path] = useLocation();
  // Closes by itself once another screen is shown, as after a start.
  const [opened_on, setOpenedOn] = useState<string | null>(null);
  const close = () => setOpenedOn(null);
  // Else it would open again with the way back.
  if (opened_on !== null && opened_on !== path) close();
  return (
    <>
      <button
        type="button"
        aria-label={t('next.startLabel')}
        aria-haspopup="dialog"
        onClick={() => setOpenedOn(path)}
        className={navigationItemClasses(false)}
      >
        <StartContent />
      </button>
      {opened_on === path && (
        <Sheet open onOpenChange={close} title={t('next.startLabel')}>
          <UsualStart activities={activities} onElsewhere={close} />
        </Sheet>
      )}
    </>
  );
}

/** Keeps the place while it is not known what the next action is. */
function StartPlaceholder() {
  return (
    <span aria-hidden="true" className={navigationItemClasses(false)}>
      <StartContent />
    </span>
  );
}

function StartContent() {
  const { t } = useTranslation('activities');
  return (
    <>
      <ActionIcon name="play" tone="accent" />
      {t('next.start')}
    </>
  );
}
