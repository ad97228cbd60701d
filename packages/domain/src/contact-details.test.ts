import fc from 'fast-check';
import { expect, test } from 'vitest';
import { extractPhoneNumbers } from './contact-details.ts';

test.each([
  ['+34 93 411 55 00', '+34 93 411 55 00'],
  ['+34 93 411 55 00;93 411 55 01', '+34 93 411 55 00; 93 411 55 01'],
  ['(030) 123-456', '(030) 123-456'],
  ['01 23/45.67', '01 23/45.67'],
  ['+1 800 555 1234 ext. 12', '+1 800 555 1234 ext. 12'],
  ['tel:+34934115500', '+34934115500'],
  ['ask at the desk, +34 93 411', '+34 93 411'],
])('%s is read as %s', (text, numbers) => {
  expect(extractPhoneNumbers(text)).toBe(numbers);
});

test.each([
  'javascript:alert(2)',
  'javascript:alert(234567)',
  '<b>123456</b>',
  'https://a.example/123456',
  'none',
  '12',
  '',
  '1'.repeat(21),
])('%s contains no phone number', (text) => {
  expect(extractPhoneNumbers(text)).toBeNull();
});

test('a parsed value parses to itself, and never holds script for a link or a page', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'+0123456789 ()-./;,:<>"\'ajx') }), (text) => {
      const read = extractPhoneNumbers(text);
      if (read === null) return;
      expect(extractPhoneNumbers(read)).toBe(read);
      expect(read).not.toMatch(/[<>"':]/);
    }),
  );
});
