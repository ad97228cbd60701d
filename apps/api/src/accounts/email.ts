import { domainToASCII } from 'node:url';
import { cleanText } from '@sendlap/domain/names.ts';

export const MAX_EMAIL_LENGTH = 254;
const EMAIL = /^[^\s@"(),:;<>[\]\\]+@[^\s@"(),:;<>[\]\\]+\.[^\s@"(),:;<>[\]\\]{2,}$/;
const ASCII_DOMAIN = /^(?:[a-z\d_-]+\.)+[a-z\d_-]{2,}$/;
/** `domainToASCII` reads these as parts of a URL, and would return another domain. */
const URL_CHARACTERS = /[/?#%]/;

export function normalizeEmail(email: string): string {
  return email.trim().normalize('NFC');
}

/** Returns whether mail can be sent to the address, and the text can be stored and shown unchanged. */
export function isEmail(text: string): boolean {
  return (
    text.length <= MAX_EMAIL_LENGTH &&
    EMAIL.test(text) &&
    ASCII_DOMAIN.test(toAsciiDomain(domainOf(text))) &&
    cleanText(text) === text
  );
}

/**
 * Returns the key by which accounts are found and limits count: the same for every letter case, and for every form of a
 * domain that mail reaches, such as `bücher.example` and `xn--bcher-kva.example`. Cuts text that is too long for an
 * e-mail.
 */
export function emailKey(email: string): string {
  const folded = normalizeEmail(email).slice(0, MAX_EMAIL_LENGTH).toLowerCase().normalize('NFC');
  const domain = domainOf(folded);
  return folded.slice(0, folded.length - domain.length) + toAsciiDomain(domain);
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}

/** Returns the domain as mail is sent to it; unchanged if it is not a domain. */
function toAsciiDomain(domain: string): string {
  return (!URL_CHARACTERS.test(domain) && domainToASCII(domain)) || domain;
}
