import { expect, test } from 'vitest';
import { hashText, verifyHash } from './password-hash.ts';
import { hashPassword, verifyPassword } from './passwords.ts';

/** Created by another implementation (@node-rs/argon2 2.2.1). */
const OF_SWIM = '$argon2id$v=19$m=19456,t=2,p=1$fvYPUjx6p7GR2hfokJuS6A$ZCRqSm03++8+XXv9eZ4ynHD/u/eHgeEfqYi5Bk9YiV8';
/** From argon2's own test program (test.c, version 0x13, Argon2id): different memory, one lane. */
const OF_REFERENCE = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';

test('known answers: hashes by two other implementations are of their texts and of no other', async () => {
  expect(await verifyHash(OF_SWIM, 'contraseña larga 26')).toBe(true);
  expect(await verifyHash(OF_SWIM, 'contraseña larga 27')).toBe(false);
  expect(await verifyHash(OF_REFERENCE, 'password')).toBe(true);
  expect(await verifyHash(OF_REFERENCE, 'differentpassword')).toBe(false);
});

test('a hash names its parameters, and two hashes of a text have different salts', async () => {
  const [one, other] = [await hashText('chalk'), await hashText('chalk')];
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(one).not.toBe(other);
  for (const hash of [one, other]) expect(await verifyHash(hash, 'chalk')).toBe(true);
});

test.each([
  ['another algorithm', OF_SWIM.replace('argon2id', 'argon2i')],
  ['another version', OF_SWIM.replace('v=19', 'v=16')],
  ['no key', OF_SWIM.slice(0, OF_SWIM.lastIndexOf('$') + 1)],
  ['the empty text', ''],
])('a hash other than argon2id in PHC form is refused: %s', async (_what, hash) => {
  await expect(verifyHash(hash, 'contraseña larga 26')).rejects.toThrow('PHC');
});

test('a password is the same whichever way a keyboard writes its accents, and an unknown account has none', async () => {
  const hash = await hashPassword('contrase\u00f1a');
  expect(await verifyPassword(hash, 'contrasen\u0303a')).toBe(true);
  expect(await verifyPassword(hash, 'contrasena')).toBe(false);
  expect(await verifyPassword(undefined, 'the password of an unknown account')).toBe(false);
});
