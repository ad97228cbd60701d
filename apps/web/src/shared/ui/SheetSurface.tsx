import { Dialog } from '@base-ui/react/dialog';
import { useRef, useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Icon } from './Icon.tsx';
import type { SheetProps } from './Sheet.tsx';

export function SheetSurface({ open, onOpenChange, title, description, focusAfter, children }: SheetProps) {
  const { t } = useTranslation('shell');
  // Not the first button, which closes, nor the first field, which would bring the keyboard over what is to be read.
  const popup = useRef<HTMLDivElement>(null);
  const [opener] = useState(() => document.activeElement);
  const findAfter = () => (opener?.isConnected ? true : (focusAfter?.current ?? true));
  return (
    <Dialog.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 bg-scrim transition-opacity duration-200 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Viewport className="fixed inset-0 flex items-end justify-center sm:items-center sm:p-6">
          <Dialog.Popup
            ref={popup}
            initialFocus={popup}
            finalFocus={findAfter}
            className="flex max-h-[88dvh] w-full flex-col rounded-t-xl bg-raised pb-safe shadow-high transition-transform duration-300 ease-out outline-none data-ending-style:translate-y-full data-starting-style:translate-y-full sm:max-w-[480px] sm:rounded-xl sm:data-ending-style:translate-y-4 sm:data-starting-style:translate-y-4"
          >
            <div aria-hidden="true" className="mx-auto mt-2.5 h-1.5 w-10 shrink-0 rounded-full bg-line sm:invisible" />
            <div className="flex items-start gap-2 pt-1 pr-2 pl-5">
              <div className="min-w-0 flex-1 pt-2.5">
                <Dialog.Title className="text-xl font-bold wrap-anywhere">{title}</Dialog.Title>
                {description && (
                  <Dialog.Description className="mt-1 text-ink-soft wrap-anywhere">{description}</Dialog.Description>
                )}
              </div>
              <Dialog.Close
                aria-label={t('close')}
                className="pressable inline-grid size-12 shrink-0 place-items-center rounded-full text-ink-soft"
              >
                <Icon name="x" />
              </Dialog.Close>
            </div>
            <div className="overflow-y-auto px-5 pt-3 pb-6">{children}</div>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
