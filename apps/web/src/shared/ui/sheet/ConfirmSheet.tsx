import { Button } from '../controls/Button.tsx';
import { Sheet, type SheetProps } from './Sheet.tsx';

interface ConfirmSheetProps extends Omit<SheetProps, 'children'> {
  confirm: string;
  /** Of the button that leaves everything as it is. */
  keep: string;
  onConfirm: () => void;
}

/** Asks before something is deleted for good. Either answer closes the sheet. */
export function ConfirmSheet({ confirm, keep, onConfirm, ...sheet }: ConfirmSheetProps) {
  const close = () => sheet.onOpenChange(false);
  return (
    <Sheet {...sheet}>
      <div className="flex flex-col gap-2">
        <Button
          kind="danger"
          wide
          onClick={() => {
            close();
            onConfirm();
          }}
        >
          {confirm}
        </Button>
        <Button kind="secondary" wide onClick={close}>
          {keep}
        </Button>
      </div>
    </Sheet>
  );
}
