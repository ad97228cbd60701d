/** What the server takes, counted in code points after the trim; the composer never blocks typing. */
export const MESSAGE_MAX_CODE_POINTS = 5000;

/** The text that is sent, or null for one that is not: trimmed, never empty. */
export function normalizeMessage(text: string): string | null {
  const trimmed = text.trim();
  return trimmed === '' ? null : trimmed;
}

/** Length in code points, so that an emoji of two UTF-16 units counts once. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
