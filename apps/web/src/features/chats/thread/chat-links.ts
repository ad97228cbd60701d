import { find } from 'linkifyjs';

/**
 * A piece of a message, from its `start` (UTF-16 units). `href`: where a link leads; null: plain text. `host`: said beside
 * it where the text hides it.
 */
export interface TextPiece {
  start: number;
  text: string;
  href: string | null;
  host: string | null;
}

/** Only what says itself that it is an address of the web; "sea.how" is a word. */
const IS_WEB = /^(https?:\/\/|www\.)/i;
/** Characters that turn the direction of what stands around them, or cannot be seen. */
const HIDES = /[\p{Cc}\p{Cf}]/u;

/**
 * The links of a text, and what stands between them, in order; joined they give the text. Never another scheme than http
 * and https, no address with a name or password before its host, and none with characters that cannot be seen.
 */
export function cutLinks(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  const addPlain = (until: number) => {
    if (until > end) pieces.push({ start: end, text: text.slice(end, until), href: null, host: null });
  };
  for (const { value, start, end: next } of find(text, 'url')) {
    const url = readAddress(value);
    if (!url) continue;
    addPlain(start);
    pieces.push({ start, text: value, href: url.href, host: hiddenHost(value, url) });
    end = next;
  }
  addPlain(text.length);
  return pieces;
}

function readAddress(value: string): URL | null {
  if (!IS_WEB.test(value) || HIDES.test(value)) return null;
  const url = URL.parse(/^www\./i.test(value) ? `https://${value}` : value);
  const is_web = url?.protocol === 'https:' || url?.protocol === 'http:';
  return url && is_web && url.username === '' && url.password === '' ? url : null;
}

/** The host as the browser goes to it, where the text looks different: letters of other scripts imitate ours. */
function hiddenHost(value: string, { host }: URL): string | null {
  const shown = value.toLowerCase().replace(/^https?:\/\//, '');
  return shown.startsWith(host) ? null : host;
}
