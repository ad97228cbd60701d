import { ACTIVITY_TIME_STEP_MS, timeStepAt } from '@sendlap/domain/qr-code.ts';
import { confirmationDeadline } from '@sendlap/domain/scan-checks.ts';
import { Fragment, type ReactNode, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { useUser } from '#web/shared/api/use-session.ts';
import { vibrate } from '#web/shared/device/haptics.ts';
import { useWakeLock } from '#web/shared/device/use-wake-lock.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useGoBack } from '#web/shared/navigation/use-go-back.ts';
import { activityPath, PATHS } from '#web/shared/paths.ts';
import { useDeadline } from '#web/shared/time/use-deadline.ts';
import { useServerSeconds } from '#web/shared/time/use-now.ts';
import { buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { SegmentedControl } from '#web/shared/ui/controls/SegmentedControl.tsx';
import { EmptyState } from '#web/shared/ui/feedback/EmptyState.tsx';
import { Loading } from '#web/shared/ui/feedback/Loading.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { proofIcon } from '#web/shared/ui/icons/proof-icon.ts';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { type FinishedActivity, isTooLateToConfirm, type ShownActivity } from './activity-code.ts';
import { ActivityLine, BrightnessHint, CodePanel } from './CodePanel.tsx';
import { CodeProblem, Notice } from './CodeProblem.tsx';
import { FriendCode } from './FriendCode.tsx';
import { GoldMark } from './GoldMark.tsx';
import { useSignedCode } from './use-signed-code.ts';

interface GeneratePageProps {
  /** The activity in the address, from the server or from this device; null: no activity. */
  activity: ShownActivity | null;
  /** `activity` is not known yet. */
  loading: boolean;
  tab: CodeTab;
  onTab: (tab: CodeTab) => void;
  /** Parts about the activity that other features render. */
  slots: {
    /** An op that the server refused, with the reason and the options; null: the server accepted all. */
    refused: ReactNode;
    /** How to appeal to another referee; null: the activity was not rejected. */
    appeal: ReactNode;
  };
}

/** `friend`: the code by which friends find the user. */
export type CodeTab = 'activity' | 'friend';

/** The user's codes: of a finished activity until it is confirmed, and the friend code. Both work offline. */
export function GeneratePage({ activity, loading, tab, onTab, slots }: GeneratePageProps) {
  const { t } = useTranslation('qr');
  const tabs = [
    { value: 'activity', label: t('generate.tab.activity'), icon: 'shield' },
    { value: 'friend', label: t('generate.tab.friend'), icon: 'user' },
  ] as const;
  return (
    <Screen title={t('generate.title')} onBack={useGoBack(PATHS.dashboard)}>
      <div className="mx-auto flex w-full max-w-[440px] flex-1 flex-col gap-4">
        <SegmentedControl label={t('generate.tab.label')} value={tab} options={tabs} onChange={onTab} />
        {tab === 'friend' && <FriendCode />}
        {tab === 'activity' && loading && !activity && (
          <Loading className="flex flex-col gap-4">
            <Skeleton className="-mx-2 aspect-[374/462] rounded-xl" />
            <Skeleton className="h-24 rounded-lg" />
            <Skeleton className="h-12" />
          </Loading>
        )}
        {tab === 'activity' && (activity || !loading) && (
          // The status that one activity had before says nothing about another.
          <Fragment key={activity?.client_id}>
            <DecisionAnnouncer activity={activity} />
            <GenerateContent activity={activity} slots={slots} />
          </Fragment>
        )}
      </div>
    </Screen>
  );
}

function GenerateContent({ activity, slots }: Pick<GeneratePageProps, 'activity' | 'slots'>) {
  // An activity that was already confirmed when the screen opened is not celebrated again.
  const [first_status] = useState(activity?.status);
  const now_ms = useServerSeconds();
  if (!activity) return <Notice icon="qr" name="none" href={PATHS.sportCenters} />;
  const { client_id, ended_at, status } = activity;
  const href = activityPath(client_id);
  // Opened after a friend or a kiosk confirmed it: a referee's confirmation counts for more.
  if (first_status === 'validated' && activity.validation === 'peer' && ended_at !== null) {
    const finished = { ...activity, ended_at };
    if (!isTooLateToConfirm(finished, now_ms)) return <LiveCode activity={finished} />;
  }
  if (status === 'validated') {
    return (
      <ConfirmedPanel activity={activity} just_validated={first_status !== undefined && first_status !== 'validated'} />
    );
  }
  if (slots.refused) return slots.refused;
  if (status === 'rejected') return <Rejected activity={activity} appeal={slots.appeal} />;
  if (status === 'active' || ended_at === null) return <Notice icon="clock" name="running" href={href} />;
  return <LiveCode activity={{ ...activity, ended_at }} />;
}

/**
 * Announces to screen readers that the shown activity is confirmed or rejected. They do not read a region that comes with
 * its text.
 */
function DecisionAnnouncer({ activity }: Pick<GeneratePageProps, 'activity'>) {
  const { t } = useTranslation('qr');
  const [first_status] = useState(activity?.status);
  const is_news = activity !== null && first_status !== undefined && activity.status !== first_status;
  return (
    <p role="status" className="sr-only">
      {is_news && activity.status === 'validated' && t('generate.validated.read', { count: activity.points })}
      {is_news && activity.status === 'rejected' && t('generate.rejected.title')}
    </p>
  );
}

/** Why the referee rejected the activity, and how to appeal to another one. */
function Rejected({ activity, appeal }: { activity: ShownActivity; appeal: ReactNode }) {
  const { t } = useTranslation('qr');
  return (
    <>
      <EmptyState
        icon="x"
        title={t('generate.rejected.title')}
        text={t('generate.rejected.text')}
        action={
          <>
            {activity.rejected_reason && (
              <p className="mb-6 font-medium wrap-anywhere">
                {t('generate.rejected.reason', { reason: activity.rejected_reason })}
              </p>
            )}
            <Link href={activityPath(activity.client_id)} className={buttonClasses('secondary', 'md')}>
              {t('generate.rejected.action')}
            </Link>
          </>
        }
      />
      {appeal}
    </>
  );
}

function LiveCode({ activity }: { activity: FinishedActivity }) {
  const { t } = useTranslation('qr');
  const user = useUser();
  const now_ms = useServerSeconds();
  const time_step = timeStepAt(now_ms, ACTIVITY_TIME_STEP_MS);
  const seconds_left = ((time_step + 1) * ACTIVITY_TIME_STEP_MS - now_ms) / 1000;
  const { signed, failure, retry } = useSignedCode(activity, user, time_step);
  // Checked while the code is shown too: after this time it can no longer be confirmed.
  const too_late = isTooLateToConfirm(activity, now_ms);
  const time = useDeadline(confirmationDeadline(activity));
  const appeal_text = activity.appealed_at ? t('generate.appealed', { time }) : null;
  useWakeLock(signed !== null && !failure && !too_late);
  if (too_late) return <Notice icon="clock" name="tooLate" href={activityPath(activity.client_id)} />;
  if (failure) return <CodeProblem error={failure} onRetry={retry} />;
  return (
    <>
      <CodePanel activity={activity} code={signed} seconds_left={seconds_left} />
      <ActivityLine activity={activity} />
      <BrightnessHint text={`${appeal_text ?? t('generate.hint')} ${t('generate.needsNetwork')}`} />
    </>
  );
}

interface ConfirmedPanelProps {
  activity: ShownActivity;
  /** The confirmation arrived while this screen was open. */
  just_validated: boolean;
}

/** A confirmed activity: gold, and the points as large as the screen allows. */
function ConfirmedPanel({ activity, just_validated }: ConfirmedPanelProps) {
  const { t } = useTranslation(['qr', 'shell']);
  const locale = useLocale();
  const { points, sport_center_name: center } = activity;
  useEffect(() => {
    if (just_validated) vibrate('success');
  }, [just_validated]);
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-2 overflow-hidden py-10 text-center">
      <GoldMark icon={proofIcon(activity.validation)} burst={just_validated} />
      <p className="sr-only">{t('generate.validated.read', { count: points })}</p>
      <h2 className="mt-6 text-2xl font-bold">{t('generate.validated.title')}</h2>
      <p aria-hidden="true" className="flex items-baseline gap-2 text-gold-ink">
        <span className="figures text-7xl font-extrabold">+{points.toLocaleString(locale)}</span>
        <span className="text-xl font-semibold">{t('generate.validated.points', { count: points })}</span>
      </p>
      <p className="max-w-[32ch] text-ink-soft">
        {t('generate.validated.text', { sport: t(`shell:sport.${activity.sport_type}`).toLowerCase(), center })}
      </p>
      <Link href={activityPath(activity.client_id)} className={`${buttonClasses('primary', 'md')} mt-6`}>
        {t('generate.validated.action')}
      </Link>
    </div>
  );
}
