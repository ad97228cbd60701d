import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { Button, type ButtonKind } from './Button.tsx';
import { FormButtons } from './FormButtons.tsx';
import { Problem } from './Problem.tsx';

interface ConfirmedButtonProps {
  label: string;
  kind?: ButtonKind;
  /** What the act does; shown before it is done. */
  question: string;
  /** Of the button that leaves everything as it is. */
  cancel: string;
  disabled?: boolean;
  mutation: { isPending: boolean; error: Error | null };
  /** Fields to fill in before the act. */
  children?: ReactNode;
  onAsk?: () => void;
  /** `onDone` closes the question. */
  onConfirm: (onDone: () => void) => void;
}

/** A button for an act that is hard to undo: the first press asks, the second one acts. */
export function ConfirmedButton(props: ConfirmedButtonProps) {
  const { label, kind = 'danger', question, cancel, disabled = false, mutation, children, onAsk, onConfirm } = props;
  const errorText = useErrorText();
  const [is_asking, setAsking] = useState(false);
  const part = useRef<HTMLDivElement>(null);
  // The pressed button is removed: the focus goes to the first field, or to the harmless button, in its place.
  const ask = (asking: boolean) => {
    if (asking) onAsk?.();
    flushSync(() => setAsking(asking));
    part.current?.querySelector<HTMLElement>('input, button')?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onConfirm(() => ask(false));
  };
  if (!is_asking)
    return (
      <div ref={part}>
        <Button kind={kind} size="sm" wide disabled={disabled} onClick={() => ask(true)}>
          {label}
        </Button>
      </div>
    );
  return (
    <div ref={part}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-3 rounded-md bg-sunken p-3 [&_input]:min-w-0">
        <p role="status" className="px-1">
          {question}
        </p>
        {children}
        {mutation.error && <Problem>{errorText(mutation.error)}</Problem>}
        <FormButtons submit={label} kind={kind} busy={mutation.isPending} cancel={cancel} onCancel={() => ask(false)} />
      </form>
    </div>
  );
}
