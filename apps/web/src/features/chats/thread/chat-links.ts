import { find } from 'linkifyjs';

/**
 * A piece of a message, from its `start` (UTF-16 units). `href`: the link's target; null: plain text. `host`: shown
 * beside the link if the text disguises it.
 */
export interface TextPiece {
  start: number;
  text: string;
  href: string | null;
  host: string | null;
}

/** Only text that starts like a web address becomes a link; "sea.how" is a word. */
const WEB_PREFIX = /^(https?:\/\/|www\.)/i;
/** Characters that are invisible or change the direction of the surrounding text. */
const HIDDEN_CHARACTERS = /[\p{Cc}\p{Cf}]/u;

/**
 * Splits a text into links and plain text, in order; joined, the pieces equal the text. Accepts only http and https, no
 * address with a user name or password, and no address with invisible characters.
 */
export function splitLinks(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  const addPlain = (until: number) => {
    if (until > end) pieces.push({ start: end, text: text.slice(end, until), href: null, host: null });
  };
  for (const { value, start, end: next } of find(text, 'url')) {
    const url = parseWebUrl(value);
    if (!url) continue;
    addPlain(start);
    pieces.push({ start, text: value, href: url.href, host: disguisedHost(value, url) });
    end = next;
  }
  addPlain(text.length);
  return pieces;
}

function parseWebUrl(value: string): URL | null {
  if (!WEB_PREFIX.test(value) || HIDDEN_CHARACTERS.test(value)) return null;
  const url = URL.parse(/^www\./i.test(value) ? `https://${value}` : value);
  const is_web = url?.protocol === 'https:' || url?.protocol === 'http:';
  return url && is_web && url.username === '' && url.password === '' ? url : null;
}

/** Returns the real host if the text shows a different one: letters of other scripts can imitate Latin ones. */
function disguisedHost(value: string, { host }: URL): string | null {
  const shown = value.toLowerCase().replace(/^https?:\/\//, '');
  return shown.startsWith(host) ? null : host;
}
