import { isErrorCode } from '@sendlap/contract/wire/errors.ts';
import { useRef, useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { ConfirmSheet } from '#web/shared/ui/sheet/ConfirmSheet.tsx';
import type { MessageLine } from '../data/message-lines.ts';
import { COMPOSER_FIELD_ID } from '../panel-state/panel.ts';
import { useFailedMessage } from './use-send-message.ts';

const ACTION = 'pressable min-h-12 rounded-md px-3 text-label font-semibold underline underline-offset-4';

interface FailedMessageProps {
  line: MessageLine;
  /** Whether I can write in this chat. */
  can_write: boolean;
}

/** Why a message was refused, with the actions retry, edit and discard. */
export function FailedMessage({ line, can_write }: FailedMessageProps) {
  const { t } = useTranslation(['chats', 'errors']);
  const { retry, edit, discard } = useFailedMessage();
  const [is_confirming, setConfirming] = useState(false);
  const { id, problem } = line;
  const buttons = useRef<HTMLDivElement>(null);
  // The buttons unmount and lose the focus: move it to the composer.
  const focusComposerAfter = (done: Promise<void>) =>
    void done.then(() => document.getElementById(COMPOSER_FIELD_ID)?.focus());
  const handleRetry = () => {
    buttons.current?.closest<HTMLElement>('[data-scroller]')?.focus({ preventScroll: true });
    void retry(id);
  };
  return (
    <div className="flex max-w-[85%] flex-col items-end text-right">
      <p className="mt-1 text-label text-danger-ink">
        {t('failed.send')}
        {problem && `. ${isErrorCode(problem.code) ? t(`errors:${problem.code}`) : problem.message}`}
      </p>
      <div ref={buttons} className="flex flex-wrap justify-end gap-1">
        <button type="button" onClick={handleRetry} className={`${ACTION} text-accent-ink`}>
          {t('messages.retry')}
        </button>
        {can_write && (
          <button type="button" onClick={() => focusComposerAfter(edit(id))} className={`${ACTION} text-accent-ink`}>
            {t('messages.edit')}
          </button>
        )}
        <button type="button" onClick={() => setConfirming(true)} className={`${ACTION} text-danger-ink`}>
          {t('messages.discard')}
        </button>
      </div>
      {is_confirming && (
        <ConfirmSheet
          open
          onOpenChange={setConfirming}
          title={t('messages.discardTitle')}
          description={t('messages.discardText')}
          confirm={t('messages.discard')}
          keep={t('messages.keep')}
          onConfirm={() => focusComposerAfter(discard(id))}
        />
      )}
    </div>
  );
}
