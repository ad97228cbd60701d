import { encodeFriendCode, encodeInviteCode, qrUrl } from '@sendlap/domain/qr-code.ts';
import { expect, test } from 'vitest';
import { parseTypedId } from './typed-id.ts';

test.each([
  ['Ana', 'Ana'],
  ['ana b', 'ana b'],
  ['', ''],
  ['https://example.org/ana', 'https://example.org/ana'],
])('%j is no id and stays as it was typed', (text, typed) => {
  expect(parseTypedId(text)).toBe(typed);
});

test("another code's link holds no id", () => {
  const link = qrUrl('https://sendlap.test', encodeInviteCode('a'.repeat(22)));
  expect(parseTypedId(link)).toBe(link);
});

test("an id loses the spaces around it, the link of a friend's code all but its id", () => {
  expect(parseTypedId('  sl-7k2m9x4q1b \n')).toBe('sl-7k2m9x4q1b');
  const link = qrUrl('https://sendlap.test', encodeFriendCode('sl-7k2m9x4q1b'));
  expect(parseTypedId(` ${link} `)).toBe('sl-7k2m9x4q1b');
});

test('an id is found in the whole message that came with the link, and without invisible characters', () => {
  const link = qrUrl('https://sendlap.test', encodeFriendCode('sl-7k2m9x4q1b'));
  expect(parseTypedId(`Find me on Sendlap: sl-7k2m9x4q1b ${link}`)).toBe('sl-7k2m9x4q1b');
  expect(parseTypedId(`Búscame en Sendlap: sl-7k2m9x4q1b\n${link}\n¡Hasta el viernes!`)).toBe('sl-7k2m9x4q1b');
  expect(parseTypedId('\u200esl-7k2m9x4q1b\u200b')).toBe('sl-7k2m9x4q1b');
});
