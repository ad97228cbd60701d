import { MESSAGE_MAX_CODE_POINTS } from '@sendlap/domain/messages.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { splitLinks, type TextPiece } from './chat-links.ts';
import { isEmojiOnly } from './emoji-only.ts';

/** The server accepts no longer message; rendering a huge refused one in full would block the page. */
function shorten(text: string): string {
  if (text.length <= MESSAGE_MAX_CODE_POINTS) return text;
  const start = [...text.slice(0, 2 * MESSAGE_MAX_CODE_POINTS)].slice(0, MESSAGE_MAX_CODE_POINTS).join('');
  return start.length < text.length ? `${start}…` : text;
}

/**
 * A message's text with safe links and its line breaks. The text's own characters decide its direction, and none of
 * them can change the direction of its surroundings.
 */
export function MessageText({ text: full_text }: { text: string }) {
  const text = shorten(full_text);
  const is_emoji = isEmojiOnly(text);
  return (
    <p
      dir="auto"
      className={`whitespace-pre-wrap [unicode-bidi:plaintext] wrap-anywhere ${is_emoji ? 'text-display leading-tight' : 'text-body'}`}
    >
      {is_emoji ? text : splitLinks(text).map((piece) => <Piece key={piece.start} piece={piece} />)}
    </p>
  );
}

function Piece({ piece: { text, href, host } }: { piece: TextPiece }) {
  const { t } = useTranslation('chats');
  if (href === null) return text;
  return (
    <>
      <a
        href={href}
        target="_blank"
        rel="noopener noreferrer nofollow ugc"
        dir="ltr"
        className="font-medium text-accent-ink underline underline-offset-2 [unicode-bidi:isolate]"
      >
        {text}
      </a>
      {host !== null && <bdi> ({t('messages.leadsTo', { host })})</bdi>}
    </>
  );
}
