import { cleanText } from '@sendlap/domain/names.ts';

export const MAX_EMAIL_LENGTH = 254;
const EMAIL = /^[^\s@"(),:;<>[\]\\]+@[^\s@"(),:;<>[\]\\]+\.[^\s@"(),:;<>[\]\\]{2,}$/;

export function normalizeEmail(email: string): string {
  return email.trim().normalize('NFC');
}

/** Returns whether mail can be sent to the address, and the text can be stored and shown unchanged. */
export function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text) && cleanText(text) === text;
}

/**
 * Returns the key by which accounts are found and limits count: the same for every letter case. Cuts text that is too
 * long for an e-mail.
 */
export function emailKey(email: string): string {
  return normalizeEmail(email).slice(0, MAX_EMAIL_LENGTH).toLowerCase().normalize('NFC');
}
