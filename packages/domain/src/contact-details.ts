const NUMBER = /^\+?[\d\s()./‐-―-]+(?:\s*(?:ext\.?|x|#)\s*\d{1,6})?$/i;
const MIN_DIGITS = 3;
const MAX_DIGITS = 20;

/**
 * Returns the phone numbers of a text as they were written ('+34 93 411 55 00; 93 411 55 01'), without the rest of it;
 * null without a number.
 */
export function extractPhoneNumbers(text: string): string | null {
  const numbers = text
    .split(/[;,]/)
    .map((part) => part.trim().replace(/^tel:\s*/i, ''))
    .filter(isPhoneNumber);
  return numbers.length > 0 ? numbers.join('; ') : null;
}

function isPhoneNumber(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '').length;
  return NUMBER.test(text) && digits >= MIN_DIGITS && digits <= MAX_DIGITS;
}
