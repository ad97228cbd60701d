import { cleanText } from '@sendlap/domain/names.ts';
import { isPublicId } from '@sendlap/domain/public-id.ts';
import { decodeCode, parseQrUrl } from '@sendlap/domain/qr-code.ts';

/** Shared messages contain the link among other words. */
const CODE_LINK = /https?:\/\/[^\s/?#]+\/qr\/scan\/?#[A-Za-z0-9_-]+/;

/**
 * Returns the public id in a typed or pasted text: the id itself, or the one in the link of a friend's code. Strips
 * only surrounding spaces and invisible characters; `isPublicId` validates the result.
 */
export function parseTypedId(text: string): string {
  const typed = cleanText(text);
  if (isPublicId(typed)) return typed;
  const bytes = parseQrUrl(CODE_LINK.exec(typed)?.[0] ?? typed);
  const code = bytes && decodeCode(bytes);
  return code?.kind === 'friend' ? code.public_id : typed;
}
