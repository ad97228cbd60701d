import { Drawer } from '@base-ui/react/drawer';
import { useEffect, useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Icon } from '../icons/Icon.tsx';
import { useRetainedFocus } from '../use-retained-focus.ts';
import { noteOpenSheet } from './open-sheets.ts';
import type { SheetProps } from './Sheet.tsx';

export function SheetSurface({ open, onOpenChange, title, description, focusAfter, children }: SheetProps) {
  const { t } = useTranslation('shell');
  // The popup itself gets the initial focus: the first button would close the sheet, and the keyboard of the first field
  // would cover the text.
  const popup = useRetainedFocus<HTMLDivElement>();
  const [opener] = useState(() => document.activeElement);
  useEffect(() => (open ? noteOpenSheet() : undefined), [open]);
  const findFinalFocus = () => (opener?.isConnected ? true : (focusAfter?.current ?? true));
  return (
    <Drawer.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Drawer.Portal>
        <Drawer.Backdrop className="fixed inset-0 bg-scrim opacity-[calc(1-var(--drawer-swipe-progress,0))] transition-opacity duration-200 data-ending-style:opacity-0 data-starting-style:opacity-0 data-swiping:duration-0" />
        <Drawer.Viewport className="fixed inset-0 flex items-end justify-center sm:items-center sm:p-6">
          <Drawer.Popup
            ref={popup}
            data-sheet
            initialFocus={popup}
            finalFocus={findFinalFocus}
            className="flex max-h-[88dvh] w-full flex-col rounded-t-xl bg-raised pb-safe shadow-high transition-transform duration-300 ease-out outline-none [transform:translateY(var(--drawer-swipe-movement-y,0))] data-ending-style:[transform:translateY(100%)] data-starting-style:[transform:translateY(100%)] sm:max-w-[480px] sm:rounded-xl sm:data-ending-style:[transform:translateY(1rem)] sm:data-starting-style:[transform:translateY(1rem)] sm:data-swipe-dismiss:[transform:translateY(100dvh)]"
          >
            <div aria-hidden="true" className="grid h-4 shrink-0 place-items-center pt-2 sm:invisible">
              <div className="h-1.5 w-10 rounded-full bg-line" />
            </div>
            {/* The title scrolls too: in large text it fills the sheet. */}
            <Drawer.Content className="min-h-0 overflow-y-auto overscroll-contain px-5 pt-1 pb-6">
              <div className="pointer-events-none sticky top-0 z-10 -mr-3 flex h-0 justify-end">
                <Drawer.Close
                  aria-label={t('close')}
                  className="pressable pointer-events-auto inline-grid size-12 shrink-0 place-items-center rounded-full bg-raised text-ink-soft"
                >
                  <Icon name="x" />
                </Drawer.Close>
              </div>
              <div className="mb-3 min-h-9.5 pt-2.5 pr-11">
                <Drawer.Title className="text-xl font-bold wrap-anywhere">{title}</Drawer.Title>
                {description && (
                  <Drawer.Description className="mt-1 text-ink-soft wrap-anywhere">{description}</Drawer.Description>
                )}
              </div>
              {children}
            </Drawer.Content>
          </Drawer.Popup>
        </Drawer.Viewport>
      </Drawer.Portal>
    </Drawer.Root>
  );
}
