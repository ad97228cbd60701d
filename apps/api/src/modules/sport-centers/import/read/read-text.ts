import { isRecord } from '@sendlap/contract/wire/json-record.ts';
import { cleanText } from '@sendlap/domain/names.ts';

const MAX_TITLE_LENGTH = 200;

/** Returns a value as clean text (see `cleanText`), a number as digits; null for anything else and for empty text. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' ? cleanText(value.toWellFormed()) || null : null;
}

/**
 * Returns a refusal reason for ill-formed text in a record (half of a surrogate pair, in JSON `\ud800`), or null. Any
 * such field refuses the whole record: a silently dropped one would never be corrected.
 */
export function describeIllFormedText(properties: Record<string, unknown>): string | null {
  const nested = isRecord(properties.tags) ? Object.entries(properties.tags) : [];
  const broken = [...Object.entries(properties), ...nested].find(
    ([, value]) => typeof value === 'string' && !value.isWellFormed(),
  );
  return broken ? `its "${textOf(broken[0])}" is ill-formed text: it holds half of a surrogate pair` : null;
}

/** Title of a collection or name of a licence, cut short: a file may put a whole text into any field. */
export function titleOf(value: unknown): string | null {
  const text = textOf(value);
  return text === null ? null : truncateText(text, MAX_TITLE_LENGTH);
}

/** Returns the first `max` UTF-16 units, one less if that would split a character. */
export function truncateText(text: string, max: number): string {
  return text.slice(0, max).replace(/\p{Cs}$/u, '');
}
