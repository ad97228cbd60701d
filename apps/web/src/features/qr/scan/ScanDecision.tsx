import { useEffect, useEffectEvent, useState } from 'react';
import { useUser } from '#web/shared/api/use-session.ts';
import { getLastPosition } from '#web/shared/data/last-position.ts';
import { useRefereeRights } from '#web/shared/data/referee-rights.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { usePersonName } from '#web/shared/people/use-person-name.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Chip } from '#web/shared/ui/controls/Chip.tsx';
import { Field } from '#web/shared/ui/controls/Field.tsx';
import { IconButton } from '#web/shared/ui/controls/IconButton.tsx';
import { AdjustForm } from './AdjustForm.tsx';
import { distanceClassOf } from './distance-class.ts';
import { precheckScan } from './precheck-scan.ts';
import { useCenter } from './queries.ts';
import type { DecisionDetails } from './RecordedScan.tsx';
import { ScanCard } from './ScanCard.tsx';
import type { Decision } from './scan-op.ts';
import type { ScannedCode } from './scanned-code.ts';

const REASONS = ['notHere', 'times', 'sport', 'otherPerson'] as const;
/** The contract's limit. */
const MAX_REASON_LENGTH = 500;

interface ScanDecisionProps {
  scan: ScannedCode;
  view: 'card' | 'adjust' | 'reject';
  onViewChange: (step: ScanDecisionProps['view']) => void;
  onDecide: (details: DecisionDetails) => void;
  onScanAgain: () => void;
}

/** The card of a referee or a friend, and a referee's forms to adjust or reject. */
export function ScanDecision({ scan, view, onViewChange, onDecide, onScanAgain }: ScanDecisionProps) {
  const { t } = useTranslation('qr');
  const { id, public_id } = useUser();
  const personName = usePersonName();
  const referee_rights = useRefereeRights(id);
  const { center } = useCenter(scan.code.sport_center_id);
  const referee_right = referee_rights.rights?.find((right) => right.sport_center_id === scan.code.sport_center_id);
  const verdict = precheckScan(scan, { public_id, ...referee_rights });
  const decide = (decision: Decision) => {
    const distance_class = distanceClassOf(getLastPosition(), center?.position ?? null, scan.scanned.now_ms);
    onDecide({ decision, distance_class, as_peer: verdict.kind === 'peer' });
  };

  const clock_jumped = verdict.kind === 'stop' && verdict.code === 'clock_jumped';
  const retryRights = useEffectEvent(referee_rights.retry);
  // Any answer from the server re-measures the clock, so that the next scan passes.
  useEffect(() => {
    if (clock_jumped) retryRights();
  }, [clock_jumped]);

  if (view !== 'card') {
    return (
      <>
        {/* Whose activity this is, and the button back to the card. */}
        <div className="-ml-3 mb-3 flex items-center gap-1">
          <IconButton icon="chevron-left" label={t('card.back')} onClick={() => onViewChange('card')} />
          <p dir="auto" className="min-w-0 text-left leading-tight wrap-break-word text-lg font-semibold">
            {personName(scan.code.display_name)}
          </p>
        </div>
        {view === 'adjust' ? (
          <AdjustForm scan={scan} onConfirm={(adjustment) => decide({ kind: 'confirm', adjustment })} />
        ) : (
          <RejectForm onReject={(reason) => decide({ kind: 'reject', reason })} />
        )}
      </>
    );
  }
  return (
    <ScanCard
      scan={scan}
      center_name={center?.name ?? referee_right?.sport_center_name ?? null}
      verdict={verdict}
      onConfirm={() => decide({ kind: 'confirm', adjustment: {} })}
      onViewChange={onViewChange}
      onScanAgain={onScanAgain}
    />
  );
}

/** A rejection needs a reason: a preset, or the referee's own words. */
function RejectForm({ onReject }: { onReject: (reason: string) => void }) {
  const { t } = useTranslation('qr');
  const [reason, setReason] = useState('');
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (reason.trim()) onReject(reason);
      }}
    >
      <div className="flex flex-wrap gap-2.5">
        {REASONS.map((name) => {
          const text = t(`reject.${name}`);
          return (
            <Chip
              key={name}
              selected={reason === text}
              className={reason === text ? undefined : 'inset-ring-[1.5px] inset-ring-line'}
              onClick={() => setReason(text)}
            >
              {text}
            </Chip>
          );
        })}
      </div>
      <Field
        className="[&>div]:bg-sunken"
        label={t('reject.label')}
        placeholder={t('reject.placeholder')}
        value={reason}
        maxLength={MAX_REASON_LENGTH}
        onChange={(event) => setReason(event.target.value)}
      />
      <Button type="submit" kind="danger" icon="x" wide disabled={reason.trim() === ''}>
        {t('reject.action')}
      </Button>
    </form>
  );
}
