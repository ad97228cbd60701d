import {
  countCodePoints,
  MESSAGE_ADVISED_CODE_POINTS,
  MESSAGE_MAX_CODE_POINTS,
  messageCounter,
  normalizeMessage,
} from '@sendlap/domain/messages.ts';
import { type KeyboardEvent, useId, useLayoutEffect, useRef } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { Spinner } from '#web/shared/ui/controls/Spinner.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { useFailureText } from '../panel-parts/use-failure-text.ts';
import { COMPOSER_FIELD_ID, panel, useComposer } from '../panel-state/panel.ts';
import { useSendMessage } from './use-send-message.ts';

interface ComposerProps {
  chat_id: string;
  /** The recipient's name. */
  name: string;
  onTyping: () => void;
}

/** The field grows with its text up to this height (spec, section 9). */
const MAX_HEIGHT_PX = 120;
/** The keyCode that an input method reports for a key it handles itself, in browsers that do not set `isComposing`. */
const COMPOSING_KEY = 229;

/**
 * The composer: Enter sends, Shift+Enter starts a new line. It accepts text of any length; long text only shows a
 * warning.
 */
export function Composer({ chat_id, name, onTyping }: ComposerProps) {
  const { t } = useTranslation('chats');
  const failureText = useFailureText();
  const sendMessage = useSendMessage(chat_id);
  const { draft, is_sending, failure } = useComposer(chat_id);
  const is_empty = normalizeMessage(draft) === null;
  const send = () => {
    if (!is_empty) void panel.sendDraft(chat_id, sendMessage);
  };
  const field = useGrowingField(draft);
  const counter_id = useId();
  const counter = messageCounter(draft);
  const length = counter === null ? 0 : countCodePoints(draft.trim());
  const is_too_long = length > MESSAGE_MAX_CODE_POINTS;
  const is_long = length > MESSAGE_ADVISED_CODE_POINTS;
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey, nativeEvent } = event;
    if (key !== 'Enter' || shiftKey || nativeEvent.isComposing || nativeEvent.keyCode === COMPOSING_KEY) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      className="flex shrink-0 flex-col gap-2 border-t border-line bg-surface p-2"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {failure !== null && (
        <Problem>
          <strong className="block">{t('failed.send')}</strong>
          {failureText(failure, 'send') !== t('failed.send') && failureText(failure, 'send')}
        </Problem>
      )}
      <div className="flex items-end gap-2">
        <textarea
          ref={field}
          id={COMPOSER_FIELD_ID}
          rows={1}
          dir="auto"
          value={draft}
          enterKeyHint="send"
          autoComplete="off"
          aria-label={t('composer.label', { name })}
          aria-describedby={counter === null ? undefined : counter_id}
          placeholder={t('composer.placeholder')}
          onChange={(event) => {
            panel.setDraft(chat_id, event.target.value);
            if (event.target.value !== '') onTyping();
          }}
          onKeyDown={onKeyDown}
          className="max-h-[120px] min-h-12 min-w-0 flex-1 resize-none overflow-y-auto rounded-lg bg-sunken px-4 py-3 leading-[1.5] placeholder:text-ink-faint"
        />
        <button
          type="submit"
          aria-label={t('composer.send')}
          title={t('composer.send')}
          aria-disabled={is_sending || is_empty}
          aria-busy={is_sending}
          className="pressable grid size-12 shrink-0 place-items-center rounded-full bg-accent text-on-accent aria-disabled:bg-sunken aria-disabled:text-ink-faint"
        >
          {is_sending ? <Spinner /> : <Icon name="send" />}
        </button>
      </div>
      {counter !== null && (
        <p
          id={counter_id}
          className={`figures px-2 text-right text-sm ${is_too_long ? 'font-semibold text-danger-ink' : is_long ? 'font-semibold text-accent-ink' : 'text-ink-soft'}`}
        >
          {is_long && <span className="mr-2 font-normal">{t(is_too_long ? 'composer.tooLong' : 'composer.long')}</span>}
          {counter}
        </p>
      )}
    </form>
  );
}

function useGrowingField(text: string) {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const { current } = field;
    if (!current) return;
    // Reset before measuring: a shorter text needs less height.
    current.style.height = text === '' ? '' : 'auto';
    if (text !== '') current.style.height = `${Math.min(MAX_HEIGHT_PX, current.scrollHeight)}px`;
  }, [text]);
  return field;
}
