import { cleanText } from '@sendlap/domain/names.ts';

export const MAX_EMAIL_LENGTH = 254;
const EMAIL = /^[^\s@"(),:;<>[\]\\]+@[^\s@"(),:;<>[\]\\]+\.[^\s@"(),:;<>[\]\\]{2,}$/;

export function normalizeEmail(email: string): string {
  return email.trim().normalize('NFC');
}

/** Whether mail could be sent to it, and whether it can be stored and shown as it is. */
export function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text) && cleanText(text) === text;
}

/**
 * What accounts are found by and limits count: one person, in whatever letter case the address is typed. Text that is
 * too long for an e-mail is cut.
 */
export function emailKey(email: string): string {
  return normalizeEmail(email).slice(0, MAX_EMAIL_LENGTH).toLowerCase().normalize('NFC');
}
