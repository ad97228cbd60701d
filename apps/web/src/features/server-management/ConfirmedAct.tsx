import { MAX_REASON_LENGTH } from '@sendlap/contract/server-management/people.ts';
import { cleanText } from '@sendlap/domain/names.ts';
import { type FormEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button, type ButtonKind } from '#web/shared/ui/controls/Button.tsx';
import { Field } from '#web/shared/ui/controls/Field.tsx';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';

interface ConfirmedActProps {
  label: string;
  kind?: ButtonKind;
  /** What the act does; shown before it is done. */
  question: string;
  /** Whether the audit trail needs a reason. */
  has_reason?: boolean;
  /** The text that must be typed first: for acts that are hard to undo. */
  typed?: string;
  disabled?: boolean;
  mutation: { isPending: boolean; error: Error | null };
  /** `onDone` closes the question. */
  onConfirm: (reason: string, onDone: () => void) => void;
}

/** A button that asks before it acts, for a reason where the act needs one. */
export function ConfirmedAct({ label, kind = 'danger', disabled = false, ...act }: ConfirmedActProps) {
  const [is_asking, setAsking] = useState(false);
  const part = useRef<HTMLDivElement>(null);
  // The pressed button is removed: the focus goes to the first field or button in its place.
  const ask = (asking: boolean) => {
    flushSync(() => setAsking(asking));
    part.current?.querySelector<HTMLElement>('input, button')?.focus();
  };
  return (
    <div ref={part}>
      {is_asking ? (
        <Question {...act} label={label} kind={kind} onClose={() => ask(false)} />
      ) : (
        <Button kind={kind} size="sm" wide disabled={disabled} onClick={() => ask(true)}>
          {label}
        </Button>
      )}
    </div>
  );
}

type QuestionProps = Omit<ConfirmedActProps, 'disabled'> & { kind: ButtonKind; onClose: () => void };

function Question({ label, kind, question, has_reason, typed, mutation, onConfirm, onClose }: QuestionProps) {
  const { t } = useTranslation('server-management');
  const errorText = useErrorText();
  const [reason, setReason] = useState('');
  const [written, setWritten] = useState('');
  const [problem, setProblem] = useState<'reason' | 'typed' | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const missing = has_reason && cleanText(reason) === '' ? 'reason' : typed !== undefined && written.trim() !== typed;
    if (missing) return setProblem(missing === 'reason' ? 'reason' : 'typed');
    setProblem(null);
    onConfirm(cleanText(reason), onClose);
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-3 rounded-md bg-sunken p-3 [&_input]:min-w-0">
      <p role="status" className="px-1">
        {question}
      </p>
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
      {mutation.error && <Problem>{errorText(mutation.error)}</Problem>}
      <div className="flex gap-2">
        <Button kind="quiet" size="sm" className="flex-1" onClick={onClose}>
          {t('act.cancel')}
        </Button>
        <NetworkButton type="submit" kind={kind} size="sm" className="flex-1" busy={mutation.isPending}>
          {label}
        </NetworkButton>
      </div>
    </form>
  );
}
