import { useRefereeRights } from '#web/shared/api/referee-rights.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { AdjustForm } from './AdjustForm.tsx';
import { checkBeforeActing } from './check-before-acting.ts';
import { useCenterName } from './queries.ts';
import { RejectForm } from './RejectForm.tsx';
import { ScanCard } from './ScanCard.tsx';
import type { Decision } from './scan-op.ts';
import type { ScannedCode } from './scanned-code.ts';

export type DecisionStep = 'card' | 'adjust' | 'reject';

interface ScanDecisionProps {
  scan: ScannedCode;
  step: DecisionStep;
  onStep: (step: DecisionStep) => void;
  onDecide: (decision: Decision) => void;
  onAgain: () => void;
}

/** The referee's card, and the two ways to say more than yes. */
export function ScanDecision({ scan, step, onStep, onDecide, onAgain }: ScanDecisionProps) {
  const { id, public_id } = useUser();
  const known = useRefereeRights(id);
  const center_name = useCenterName(scan.code.sport_center_id, known.rights);
  if (step === 'adjust') {
    return <AdjustForm scan={scan} onConfirm={(adjustment) => onDecide({ kind: 'confirm', adjustment })} />;
  }
  if (step === 'reject') return <RejectForm onReject={(reason) => onDecide({ kind: 'reject', reason })} />;
  return (
    <ScanCard
      scan={scan}
      center_name={center_name}
      verdict={checkBeforeActing(scan, { public_id, ...known })}
      onConfirm={() => onDecide({ kind: 'confirm', adjustment: {} })}
      onAdjust={() => onStep('adjust')}
      onReject={() => onStep('reject')}
      onAgain={onAgain}
    />
  );
}
