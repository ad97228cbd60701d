import type { OpResult } from '@sendlap/contract/activities.ts';
import { isErrorCode } from '@sendlap/contract/wire/errors.ts';
import { useEffect, useState } from 'react';
import { vibrate } from '#web/shared/device/haptics.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useLiveEvents } from '#web/shared/live/use-live-events.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import { useOutbox } from '#web/shared/outbox/use-outbox.ts';
import { usePersonName } from '#web/shared/people/use-person-name.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Spinner } from '#web/shared/ui/controls/Spinner.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { GoldMark } from '../code/GoldMark.tsx';
import { buildScanOp, type Decision, type DistanceClass, type ScanOp } from './scan-op.ts';
import { canScanAgain, deriveOutcome, type LaterDecision, type ScanOutcome } from './scan-outcome.ts';
import type { ScannedCode } from './scanned-code.ts';

const OVERDUE_AFTER_MS = 5_000;

/** A decision, with the referee's or friend's role and distance. */
export interface DecisionDetails {
  decision: Decision;
  distance_class: DistanceClass;
  /** Without a right at the center, as far as this device knows: the user confirms as a friend. */
  as_peer: boolean;
}

interface Recording extends DecisionDetails {
  scan: ScannedCode;
  op: ScanOp;
  /** `saved`: written to this phone's disk. The screen must not say "recorded" before that. */
  state: 'saving' | 'saved' | 'failed';
}

/** Saves a decision to the outbox, which sends it as soon as possible. `onSaved`: it is on the disk. */
export function useRecording(user_id: string, onSaved: (op: ScanOp) => void) {
  const [recording, setRecording] = useState<Recording | null>(null);

  function save(next: Recording): void {
    const updateState = (state: Recording['state']) => () =>
      setRecording((shown) => (shown?.op.op_id === next.op.op_id ? { ...shown, state } : shown));
    setRecording(next);
    outbox
      .saveOp(user_id, next.op)
      .then(() => onSaved(next.op))
      .then(updateState('saved'), updateState('failed'));
  }
  return {
    recording,
    record(scan: ScannedCode, details: DecisionDetails) {
      const op_fields = { op_id: crypto.randomUUID(), distance_class: details.distance_class };
      save({ scan, ...details, op: buildScanOp(scan, details.decision, op_fields), state: 'saving' });
    },
    /** Saves the same op again: if the first attempt did reach the disk, the op is still saved only once. */
    retry: () => recording && save({ ...recording, state: 'saving' }),
  };
}

interface RecordedScanProps {
  recording: Recording;
  onRetry: () => void;
  /** Goes on to the next code. */
  onScanAgain: () => void;
  onDone: () => void;
}

/** From the tap on Confirm or Reject to the server's answer, or as far as possible while offline. */
export function RecordedScan({ recording, onRetry, ...actions }: RecordedScanProps) {
  const { t } = useTranslation(['qr', 'shell']);
  const { op, state } = recording;
  const outcome = useScanOutcome(op.op_id, state === 'saved');
  if (state !== 'failed') {
    return (
      <ScanResult recording={recording} outcome={state === 'saving' ? { kind: 'sending' } : outcome} {...actions} />
    );
  }
  return (
    <div role="alert" className="flex flex-col items-center gap-4 text-center">
      <div className="grid size-24 place-items-center rounded-full bg-danger-tint text-danger-ink">
        <Icon name="warning" size={44} />
      </div>
      <p className="max-w-[36ch]">{t('result.saveFailed')}</p>
      <Button icon="sync" wide onClick={onRetry}>
        {t('shell:retry')}
      </Button>
    </div>
  );
}

/** Follows a recorded decision. Mounted before the op is saved, so that no answer is missed. */
function useScanOutcome(op_id: string, saved: boolean): ScanOutcome {
  const rows = useOutbox();
  const online = useOnline();
  const [result, setResult] = useState<OpResult | null>(null);
  const [later_decision, setLaterDecision] = useState<LaterDecision | null>(null);
  const [overdue, setOverdue] = useState(false);

  useEffect(
    () =>
      outbox.onResults((results) => {
        const answer = results.find((each) => each.op_id === op_id);
        if (answer) setResult(answer);
      }),
    [op_id],
  );
  useLiveEvents((event) => {
    if (event.type === 'scan_decided' && event.op_id === op_id) setLaterDecision(event);
  });
  useEffect(() => {
    if (!saved) return;
    const timer = setTimeout(() => setOverdue(true), OVERDUE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [saved]);

  return deriveOutcome({ op_id, result, later_decision, rows, online, overdue });
}

interface OutcomeProps {
  recording: Recording;
  outcome: ScanOutcome;
}

/** The outcome in words; never claims more than the server has confirmed. */
function ScanResult({ outcome, recording, onScanAgain, onDone }: OutcomeProps & Omit<RecordedScanProps, 'onRetry'>) {
  const { t } = useTranslation('qr');
  const { kind } = outcome;
  useEffect(() => {
    if (kind === 'accepted' || kind === 'waiting') vibrate('success');
    if (kind === 'refused') vibrate('refused');
  }, [kind]);
  return (
    <div role="status" className="flex flex-col items-center gap-3 pt-8 text-center">
      <OutcomeMessage outcome={outcome} recording={recording} />
      <div className="mt-4 grid w-full gap-2">
        <Button icon="scan" wide onClick={onScanAgain}>
          {t(outcome.kind === 'refused' && canScanAgain(outcome.code) ? 'card.again' : 'result.again')}
        </Button>
        <Button kind="quiet" wide onClick={onDone}>
          {t('result.done')}
        </Button>
      </div>
    </div>
  );
}

function OutcomeMessage({ outcome, recording: { scan, decision, as_peer } }: OutcomeProps) {
  const { t } = useTranslation(['qr', 'errors']);
  const locale = useLocale();
  const personName = usePersonName();
  const rejecting = decision.kind === 'reject';
  switch (outcome.kind) {
    case 'sending':
      return (
        <>
          <div className="grid size-32 place-items-center text-accent">
            <Spinner size={64} />
          </div>
          <p className="text-lg">{t('result.sending')}</p>
        </>
      );
    case 'accepted':
      if (rejecting) return <DecidedNotice icon="x" title={t('result.rejected')} text={t('result.rejectedText')} />;
      return (
        <>
          <GoldMark icon={as_peer ? 'check' : 'shield'} burst />
          <h3 className="mt-2 text-2xl font-bold">{t('result.confirmed')}</h3>
          {outcome.points !== null && (
            <p className="figures text-5xl font-extrabold text-gold-ink">+{outcome.points.toLocaleString(locale)}</p>
          )}
          <p className="max-w-[34ch] text-ink-soft">
            {t(as_peer ? 'result.confirmedFriend' : 'result.confirmedText', {
              name: personName(scan.code.display_name),
            })}
          </p>
        </>
      );
    case 'waiting':
      return <RecordedNotice text={t(rejecting ? 'result.athleteReject' : 'result.athlete')} />;
    case 'kept':
      if (outcome.reason === 'slow') return <RecordedNotice text={t('result.slow')} />;
      return <RecordedNotice text={t(rejecting ? 'result.offlineReject' : 'result.offline')} />;
    case 'overtaken':
    case 'edited':
    case 'appealed':
      return <DecidedNotice icon="check" title={t(`result.${outcome.kind}`)} text={t(`result.${outcome.kind}Text`)} />;
    case 'refused':
      return (
        <>
          <Disc tone="bg-danger-tint text-danger-ink" icon="warning" />
          <h3 className="text-2xl font-bold">{t(rejecting ? 'result.refusedReject' : 'result.refused')}</h3>
          <p className="max-w-[34ch]">{isErrorCode(outcome.code) ? t(`errors:${outcome.code}`) : outcome.message}</p>
          <p className="max-w-[34ch] text-ink-soft">{`${t('result.nothingLost')} ${t(canScanAgain(outcome.code) ? 'result.mayScanAgain' : 'result.final')}`}</p>
        </>
      );
  }
}

function DecidedNotice({ icon, title, text }: { icon: 'x' | 'check'; title: string; text: string }) {
  return (
    <>
      <Disc tone="bg-sunken text-ink-soft" icon={icon} />
      <h3 className="text-2xl font-bold">{title}</h3>
      <p className="max-w-[34ch] text-ink-soft">{text}</p>
    </>
  );
}

/** Saved on this phone or on the server, but not decided yet: no gold for that. */
function RecordedNotice({ text }: { text: string }) {
  return (
    <>
      <Disc tone="bg-accent-tint text-accent-ink" icon="check" />
      <p className="max-w-[26ch] text-xl font-semibold text-balance">{text}</p>
    </>
  );
}

function Disc({ tone, icon }: { tone: string; icon: 'warning' | 'x' | 'check' }) {
  return (
    <div aria-hidden="true" className={`grid size-32 place-items-center rounded-full ${tone}`}>
      <Icon name={icon} size={60} />
    </div>
  );
}
