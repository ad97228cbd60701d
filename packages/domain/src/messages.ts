/** The server's limit, in code points after the trim; the composer never blocks typing. */
export const MESSAGE_MAX_CODE_POINTS = 20_000;
/** The counter's limit, only advice (spec, section 5). */
export const MESSAGE_ADVISED_CODE_POINTS = 5000;
/** The composer shows a counter above this length (spec, section 9). */
const COUNTER_THRESHOLD = 1000;
/** Default number of messages per page (spec, section 9). */
export const MESSAGE_PAGE_SIZE = 50;
const MAX_UNREAD_SHOWN = 99;
const PREVIEW_CODE_POINTS = 120;
/** Visible characters; letters unknown to this Unicode version count as visible. */
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\p{Z}\p{Cc}\p{Cf}]/u;

/** Returns the trimmed text to send, or null if nothing of it would be visible. */
export function normalizeMessage(text: string): string | null {
  const trimmed = text.trim();
  return VISIBLE.test(trimmed) ? trimmed : null;
}

/** Returns the length in code points, so that an emoji of two UTF-16 units counts once. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Returns 'N/5000' for a text longer than 1,000 code points, null for a shorter one (spec, section 5). */
export function messageCounter(text: string): string | null {
  // A text never has more code points than UTF-16 units.
  const length = text.length > COUNTER_THRESHOLD ? countCodePoints(text) : 0;
  return length > COUNTER_THRESHOLD ? `${length}/${MESSAGE_ADVISED_CODE_POINTS}` : null;
}

/** Returns the text of the unread badge; null if nothing is unread (spec, section 5). */
export function unreadLabel(count: number): string | null {
  if (count <= 0) return null;
  return count > MAX_UNREAD_SHOWN ? `${MAX_UNREAD_SHOWN}+` : String(count);
}

/** Returns a message as one line of a list: its first 120 code points, with single spaces. */
export function messagePreview(text: string): string {
  // The common case, a short text with only single spaces, needs no further work.
  const line = text.replaceAll(/[^\S ]\s*|\s{2,}/gu, ' ');
  if (line.length <= PREVIEW_CODE_POINTS) return line;
  // A code point has one or two UTF-16 units; a half one at the cut is beyond the 120th.
  return [...line.slice(0, 2 * PREVIEW_CODE_POINTS)].slice(0, PREVIEW_CODE_POINTS).join('');
}
