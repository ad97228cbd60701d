/** What the server takes, counted in code points after the trim; the composer never blocks typing. */
export const MESSAGE_MAX_CODE_POINTS = 5000;
/** The composer counts from more than this on (spec, section 9). */
const COUNTER_FROM = 1000;
/** Messages of a page, unless said (spec, section 9). */
export const MESSAGE_PAGE_SIZE = 50;
const UNREAD_CAP = 99;
const PREVIEW_CODE_POINTS = 120;
/** What a reader sees something of; letters that this Unicode does not know yet are taken for some. */
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\p{Z}\p{Cc}\p{Cf}]/u;

/** The text that is sent, or null for one of which nothing would be seen: trimmed. */
export function normalizeMessage(text: string): string | null {
  const trimmed = text.trim();
  return VISIBLE.test(trimmed) ? trimmed : null;
}

/** Length in code points, so that an emoji of two UTF-16 units counts once. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** 'N/5000' for a text that is longer than 1,000 code points, null for any other (spec, section 5). */
export function messageCounter(text: string): string | null {
  // No text has more code points than UTF-16 units.
  const length = text.length > COUNTER_FROM ? codePoints(text) : 0;
  return length > COUNTER_FROM ? `${length}/${MESSAGE_MAX_CODE_POINTS}` : null;
}

/** What the unread badge says; null for nothing unread (spec, section 5). */
export function unreadLabel(count: number): string | null {
  if (count <= 0) return null;
  return count > UNREAD_CAP ? `${UNREAD_CAP}+` : String(count);
}

/** A message on one line of a list: its first 120 code points, white space as single spaces. */
export function messagePreview(text: string): string {
  // Nearly always there are single spaces alone, and it is short: then nothing is to be done.
  const line = text.replaceAll(/[^\S ]\s*|\s{2,}/gu, ' ');
  if (line.length <= PREVIEW_CODE_POINTS) return line;
  // A code point has one UTF-16 unit or two; half a one at the end stands behind the 120th.
  return [...line.slice(0, 2 * PREVIEW_CODE_POINTS)].slice(0, PREVIEW_CODE_POINTS).join('');
}
