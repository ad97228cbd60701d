import { isErrorCode } from '@sendlap/contract/wire/errors.ts';
import { isVenueLimit } from '@sendlap/domain/proof/fair-proof.ts';
import { confirmationDeadline } from '@sendlap/domain/scan-checks.ts';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { vibrate } from '#web/shared/device/haptics.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { UNDO_MS } from '#web/shared/outbox/undo-time.ts';
import { codePath } from '#web/shared/paths.ts';
import { useDeadline } from '#web/shared/time/use-deadline.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { OfflineAge } from '#web/shared/ui/feedback/OfflineAge.tsx';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { useRetainedFocus } from '#web/shared/ui/use-retained-focus.ts';
import { ActivityActions } from './ActivityActions.tsx';
import type { ActivityView } from './data/activity-view.ts';
import { formatTimer } from './data/times.ts';
import { useActivityDetail } from './data/use-activities.ts';
import { isConfirmable } from './data/week.ts';
import { useActivityOps } from './ops/use-activity-ops.ts';
import { useFailureToast } from './ops/use-failure-toast.ts';
import { LedgerCard } from './points/LedgerCard.tsx';
import { PointsCard } from './points/PointsCard.tsx';
import { ScoreBreakdown } from './points/ScoreBreakdown.tsx';
import { AppealCard } from './proof/AppealCard.tsx';
import { ProofAttempts } from './proof/ProofAttempts.tsx';
import { ProofMethods } from './proof/ProofMethods.tsx';
import { ProofSteps } from './proof/ProofSteps.tsx';
import { StartAgain } from './StartAgain.tsx';
import { RefusedOpCard } from './sync/RefusedOpCard.tsx';
import './undo-finish.css';

interface FinishedActivityProps {
  activity: ActivityView;
  /** When it was fetched (ms epoch), if it may be out of date; null: it is not. */
  cached_at: number | null;
}

/** A finished activity: its points, the state of its proof, and the link to the code. */
export function FinishedActivity({ activity, cached_at }: FinishedActivityProps) {
  const [first_status] = useState(activity.status);
  const [first_undo] = useState(() => (activity.undo && activity.undo.until > Date.now() ? activity.undo : null));
  const has_code = activity.status === 'finished' && activity.proof !== 'refused';
  const has_points = activity.potential_points > 0;
  const just_validated = activity.status === 'validated' && first_status !== 'validated';
  useEffect(() => {
    if (just_validated) vibrate('success');
  }, [just_validated]);
  return (
    <div className="@container">
      <div className="mx-auto grid w-full max-w-[520px] grid-cols-1 content-start gap-4 wide:@min-[600px]:max-w-[960px] wide:@min-[600px]:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          {/* Of an activity that was not sent yet, the server knows nothing newer. */}
          {cached_at !== null && activity.proof !== 'saved' && <OfflineAge cached_at={cached_at} />}
          {first_undo && <UndoFinish activity={activity} undo={first_undo} />}
          {activity.refusal && <RefusedOpCard activity={activity} />}
          <div aria-live="polite">
            {/* A new key per status, so that the confirmed card plays its entrance animation. */}
            <PointsCard key={activity.status} activity={activity} just_validated={just_validated} />
          </div>
          {activity.proof_note && <ProofNote activity={activity} code={activity.proof_note} />}
          {activity.status === 'rejected' && <AppealCard activity={activity} />}
          {has_code && has_points && <ShowCode activity={activity} />}
          <StartAgain activity={activity} />
          {has_code && !has_points && <ShowCode activity={activity} />}
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <ProofSteps activity={activity} />
          <ScoreBreakdown activity={activity} />
          <Proofs activity={activity} />
          <ActivityActions activity={activity} />
        </div>
      </div>
    </div>
  );
}

/** Proof attempts and booked points; while the activity can still be confirmed, also the ways to prove it. */
function Proofs({ activity }: { activity: ActivityView }) {
  const { proofs, ledger, cached_at, is_on_server } = useActivityDetail(activity);
  const confirmable = isConfirmable(activity, useServerNow());
  const { sport_center_id: id, sport_center_name: name, sport_type } = activity;
  return (
    <>
      {is_on_server && <ProofAttempts proofs={proofs} cached_at={cached_at} />}
      {ledger && ledger.length > 0 && <LedgerCard ledger={ledger} />}
      {confirmable && <ProofMethods center={{ id, name, sports: [sport_type] }} />}
    </>
  );
}

/**
 * The athlete scanned the kiosk's code; says why that scan does not count, or not on public boards. Then a referee can
 * still scan the athlete's code.
 */
function ProofNote({ activity, code }: { activity: ActivityView; code: string }) {
  const { t } = useTranslation(['proofs', 'errors', 'activities']);
  const { ended_at, appealed_at, client_id } = activity;
  const now = useServerNow();
  const is_limit = isVenueLimit(code);
  const can_show = is_limit && ended_at !== null && now <= confirmationDeadline({ ended_at, appealed_at });
  return (
    <div className="flex flex-col items-start gap-3 rounded-lg bg-surface p-4 text-label">
      <p className="flex gap-2.5">
        <Icon name="qr" size={22} className="shrink-0 text-ink-soft" />
        <span>
          <span className="font-semibold">{t(is_limit ? 'note.limited' : 'note.title')}.</span>{' '}
          {isErrorCode(code) ? t(`errors:${code}`) : code}
        </span>
      </p>
      {can_show && (
        <Link href={codePath(client_id)} className={buttonClasses('secondary', 'md')}>
          {t('activities:finished.showCode')}
        </Link>
      )}
    </div>
  );
}

function ShowCode({ activity }: { activity: ActivityView }) {
  const { t } = useTranslation(['activities', 'proofs']);
  const { ended_at, appealed_at } = activity;
  const confirmable = isConfirmable(activity, useServerNow());
  if (!confirmable || ended_at === null) {
    const expired_text = t(appealed_at === null ? 'finished.codeOver' : 'proofs:appeal.over');
    return <p className="px-2 text-center text-label text-ink-soft">{expired_text}</p>;
  }
  // A confirmation adds no points now; it may after a correction, or after another activity of the day is deleted.
  if (activity.potential_points === 0) {
    return (
      <Link href={codePath(activity.client_id)} className={buttonClasses('quiet', 'sm', true)}>
        {t('finished.showCode')}
      </Link>
    );
  }
  return (
    <div>
      <Link href={codePath(activity.client_id)} className={buttonClasses('primary', 'lg', true)}>
        <Icon name="qr" size={28} />
        {t('finished.showCode')}
      </Link>
      <p className="mt-2 px-2 text-center text-sm text-ink-soft">
        {appealed_at === null ? (
          t('finished.codeText')
        ) : (
          <AppealText until={confirmationDeadline({ ended_at, appealed_at })} />
        )}
      </p>
    </div>
  );
}

function AppealText({ until }: { until: number }) {
  const { t } = useTranslation('proofs');
  return t('appeal.show', { time: useDeadline(until) });
}

interface UndoFinishProps {
  activity: ActivityView;
  /** The possibility to undo the finish, when the screen opened. */
  undo: NonNullable<ActivityView['undo']>;
}

/**
 * "Finished after 12:34 · Undo". After the time to undo the line stays without its button, so that "Show my code" does
 * not move under a thumb.
 */
function UndoFinish({ activity, undo }: UndoFinishProps) {
  const { t } = useTranslation(['activities', 'shell']);
  const showFailure = useFailureToast();
  const { reopenActivity } = useActivityOps();
  const [expired, setExpired] = useState(false);
  const line = useRetainedFocus<HTMLDivElement>();
  // By this device's own clock, as `undo.until` is.
  const [remaining_ms] = useState(() => undo.until - Date.now());
  useEffect(() => {
    const timer = setTimeout(() => setExpired(true), remaining_ms);
    return () => clearTimeout(timer);
  }, [remaining_ms]);
  const is_open = activity.undo !== null && !expired;
  if (activity.ended_at === null) return null;

  async function handleUndo(): Promise<void> {
    try {
      if (!(await reopenActivity(activity))) toast({ title: t('finished.undoTooLate') });
    } catch (error) {
      showFailure(error);
    }
  }

  const { started_at, ended_at, paused_s } = activity;
  const time = formatTimer(Date.parse(ended_at) - Date.parse(started_at) - paused_s * 1000);
  return (
    <div
      ref={line}
      tabIndex={-1}
      role="status"
      className={classes(
        'relative overflow-hidden rounded-lg outline-none transition-colors',
        is_open ? 'bg-ink text-page' : 'bg-sunken text-ink-soft',
      )}
    >
      <div className="flex min-h-20 flex-wrap items-center gap-x-3 py-1 pr-1 pl-4">
        <Icon name="check" size={22} className="shrink-0" />
        <p className="figures min-w-0 flex-1 basis-[6rem] font-semibold">{t('finished.undo', { time })}</p>
        {is_open && (
          <button
            type="button"
            onClick={() => void handleUndo()}
            className="pressable min-h-18 rounded-md px-6 text-lg font-bold underline underline-offset-4"
          >
            {t('shell:undo')}
          </button>
        )}
      </div>
      {is_open && (
        <span
          aria-hidden="true"
          className="undo-time absolute inset-x-0 bottom-0 h-1 bg-page/70"
          style={{ animationDuration: `${UNDO_MS}ms`, animationDelay: `${remaining_ms - UNDO_MS}ms` }}
        />
      )}
    </div>
  );
}
