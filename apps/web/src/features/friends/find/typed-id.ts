import { cleanText } from '@sendlap/domain/names.ts';
import { isPublicId } from '@sendlap/domain/public-id.ts';
import { readCode, readQrUrl } from '@sendlap/domain/qr-code.ts';

/** Shared messages hold it among other words. */
const CODE_LINK = /https?:\/\/[^\s/?#]+\/qr\/scan\/?#[A-Za-z0-9_-]+/;

/**
 * The public id in what was typed or pasted: the id itself, or that in the link of somebody's code. Only spaces around
 * it and what nobody sees are left out; whether it is one at all is for `isPublicId` to say.
 */
export function readTypedId(text: string): string {
  const typed = cleanText(text);
  if (isPublicId(typed)) return typed;
  const bytes = readQrUrl(CODE_LINK.exec(typed)?.[0] ?? typed);
  const code = bytes && readCode(bytes);
  return code?.kind === 'friend' ? code.public_id : typed;
}
