import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/Button.tsx';
import { Icon } from '#web/shared/ui/Icon.tsx';
import { ScanResult } from './ScanResult.tsx';
import type { Recording } from './use-recording.ts';
import { useScanOutcome } from './use-scan-outcome.ts';

interface RecordedScanProps {
  recording: Recording;
  onRetry: () => void;
  /** Goes on to the next code. */
  onAgain: () => void;
  onDone: () => void;
}

/** From the press on Confirm or Reject to the server's word, or as far as it gets without a network. */
export function RecordedScan({ recording, onRetry, onAgain, onDone }: RecordedScanProps) {
  const { scan, decision, as_peer, op, state } = recording;
  const outcome = useScanOutcome(op.op_id, state === 'saved');
  if (state === 'failed') return <NotSaved onRetry={onRetry} />;
  return (
    <ScanResult
      outcome={state === 'saving' ? { kind: 'sending' } : outcome}
      rejecting={decision.kind === 'reject'}
      as_peer={as_peer}
      name={scan.code.display_name}
      onAgain={onAgain}
      onDone={onDone}
    />
  );
}

function NotSaved({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation(['qr', 'shell']);
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
