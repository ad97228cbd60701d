import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { CookieSigner } from './cookie-signer.ts';

test.each<[string, (signature: string) => string]>([
  ['empty', () => ''],
  ['shorter', (signature) => signature.slice(1)],
  ['changed', (signature) => (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)],
  ['of another key', () => new CookieSigner(randomBytes(32)).sign('name=value')],
])('a signature that is %s is refused', (_name, change) => {
  const signer = new CookieSigner(randomBytes(32));
  expect(signer.index('name=value', change(signer.sign('name=value')))).toBe(-1);
});

test('a signature counts for its own cookie only', () => {
  const signer = new CookieSigner(randomBytes(32));
  expect(signer.index('name=value', signer.sign('name=value'))).toBe(0);
  expect(signer.index('name=other', signer.sign('name=value'))).toBe(-1);
});
