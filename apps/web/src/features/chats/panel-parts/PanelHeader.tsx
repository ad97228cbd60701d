import { Dialog } from '@base-ui/react/dialog';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { IconButton } from '#web/shared/ui/controls/IconButton.tsx';
import { panel } from '../panel-state/panel.ts';

interface PanelHeaderProps {
  title: ReactNode;
  /** Shows the button back to the list. */
  back?: boolean;
}

/** The panel's title, which names the dialog, and its buttons, which wrap below with very large text. */
export function PanelHeader({ title, back }: PanelHeaderProps) {
  const { t } = useTranslation('chats');
  const heading = useRef<HTMLHeadingElement>(null);
  // The start of a panel view: the pressed element is gone and the focus with it, so focus the title.
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);
  return (
    <header className="flex min-h-16 shrink-0 flex-wrap items-center gap-1 border-b border-line bg-surface px-1">
      {back && <IconButton icon="chevron-left" label={t('back')} onClick={() => panel.dispatch({ type: 'back' })} />}
      <Dialog.Title
        ref={heading}
        tabIndex={-1}
        className={
          back
            ? 'min-w-0 flex-1 basis-[4rem] overflow-clip text-lg font-bold outline-none'
            : 'min-w-0 flex-1 basis-[6rem] outline-none pl-4 text-2xl font-bold tracking-tight'
        }
      >
        {title}
      </Dialog.Title>
      <IconButton icon="chevron-down" label={t('minimize')} onClick={() => panel.dispatch({ type: 'minimize' })} />
      <IconButton icon="x" label={t('close')} onClick={() => panel.dispatch({ type: 'close' })} />
    </header>
  );
}
