import { MAX_REASON_LENGTH } from '@sendlap/contract/server-management/people.ts';
import { cleanText } from '@sendlap/domain/names.ts';
import { type ComponentProps, useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { ConfirmedButton } from '#web/shared/ui/controls/ConfirmedButton.tsx';
import { Field } from '#web/shared/ui/controls/Field.tsx';

interface ConfirmedActionProps
  extends Omit<ComponentProps<typeof ConfirmedButton>, 'cancel' | 'children' | 'onAsk' | 'onConfirm'> {
  /** Whether the audit trail needs a reason. */
  has_reason?: boolean;
  /** The text that must be typed first: for acts that are hard to undo. */
  typed?: string;
  /** `onDone` closes the question. */
  onConfirm: (reason: string, onDone: () => void) => void;
}

/** A button that asks before it acts, for a reason where the act needs one. */
export function ConfirmedAction({ has_reason, typed, onConfirm, ...button }: ConfirmedActionProps) {
  const { t } = useTranslation('server-management');
  const [reason, setReason] = useState('');
  const [written, setWritten] = useState('');
  const [problem, setProblem] = useState<'reason' | 'typed' | null>(null);
  const clear = () => {
    setReason('');
    setWritten('');
    setProblem(null);
  };
  const confirm = (onDone: () => void) => {
    if (has_reason && cleanText(reason) === '') return setProblem('reason');
    if (typed !== undefined && written.trim() !== typed) return setProblem('typed');
    setProblem(null);
    onConfirm(cleanText(reason), onDone);
  };
  return (
    <ConfirmedButton {...button} cancel={t('act.cancel')} onAsk={clear} onConfirm={confirm}>
      {has_reason && (
        <Field
          label={t('act.reason')}
          hint={t('act.reasonHint')}
          error={problem === 'reason' ? t('act.reasonMissing') : null}
          value={reason}
          maxLength={MAX_REASON_LENGTH}
          onChange={(event) => setReason(event.target.value)}
        />
      )}
      {typed !== undefined && (
        <Field
          label={t('act.typed', { text: typed })}
          error={problem === 'typed' ? t('act.typedWrong') : null}
          value={written}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setWritten(event.target.value)}
        />
      )}
    </ConfirmedButton>
  );
}
