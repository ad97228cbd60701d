import { Button, type ButtonKind } from './Button.tsx';
import { NetworkButton } from './NetworkButton.tsx';

interface FormButtonsProps {
  submit: string;
  kind?: ButtonKind;
  busy: boolean;
  /** Of the button that leaves everything as it is. */
  cancel: string;
  onCancel: () => void;
}

/** The end of a form on a card: cancel beside submit, which needs a network. */
export function FormButtons({ submit, kind = 'primary', busy, cancel, onCancel }: FormButtonsProps) {
  return (
    <div className="flex flex-wrap gap-2">
      <Button kind="quiet" size="sm" className="grow basis-[6.5rem]" onClick={onCancel}>
        {cancel}
      </Button>
      <NetworkButton type="submit" kind={kind} size="sm" className="grow basis-[6.5rem]" busy={busy}>
        {submit}
      </NetworkButton>
    </div>
  );
}
