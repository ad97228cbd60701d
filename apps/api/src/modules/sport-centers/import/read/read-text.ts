import { cleanText } from '@sendlap/domain/names.ts';
import { isRecord } from './json-record.ts';

const MAX_TITLE = 200;

/** A value of a file as clean text (see `cleanText`), a number in digits; null for anything else and for no text. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' ? cleanText(value.toWellFormed()) || null : null;
}

/**
 * Says which text of a record is ill-formed (half of a surrogate pair, which JSON can write as `\ud800`), or null.
 * Whichever field it is, the record is refused: a fact that is left out in silence would never be mended.
 */
export function findBrokenText(properties: Record<string, unknown>): string | null {
  const nested = isRecord(properties.tags) ? Object.entries(properties.tags) : [];
  const broken = [...Object.entries(properties), ...nested].find(
    ([, value]) => typeof value === 'string' && !value.isWellFormed(),
  );
  return broken ? `its "${textOf(broken[0])}" is ill-formed text: it holds half of a surrogate pair` : null;
}

/** The title of a collection or the name of a licence, for a file may put a whole text into any field. */
export function titleOf(value: unknown): string | null {
  const text = textOf(value);
  return text === null ? null : cutText(text, MAX_TITLE);
}

/** The first `max` UTF-16 units, one less where that would cut a character in half. */
export function cutText(text: string, max: number): string {
  return text.slice(0, max).replace(/\p{Cs}$/u, '');
}
