import { login } from '@sendlap/contract/auth.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import en from '#web/shared/i18n/en/auth.json';
import es from '#web/shared/i18n/es/auth.json';
import { normalizeCredentials, validateCredentials } from './credentials.ts';

const check = (email: string, password: string) => validateCredentials(normalizeCredentials({ email, password }));

test.each([
  ['', '', { email: 'emailMissing', password: 'passwordMissing' }],
  ['   ', 'x', { email: 'emailMissing' }],
  ['nora', 'x', { email: 'emailInvalid' }],
  ['nora@', 'x', { email: 'emailInvalid' }],
  ['@example.org', 'x', { email: 'emailInvalid' }],
  ['no ra@example.org', 'x', { email: 'emailInvalid' }],
  ['a@b@example.org', 'x', { email: 'emailInvalid' }],
  [`${'a'.repeat(250)}@b.c`, 'x'.repeat(1024), {}],
  [`${'a'.repeat(251)}@b.c`, 'x', { email: 'emailInvalid' }],
  ['nora@example.org', 'x'.repeat(1025), { password: 'passwordTooLong' }],
  ['nora@example.org', ' ', {}],
  ['  nora@example.org\t', 'x', {}],
  ['ñandú@correo.example', 'x', {}],
  ['nora@localhost', 'x', {}],
])('%j with a password of %j is checked before it is sent [spec 5.form.fields]', (email, password, problems) => {
  expect(check(email, password)).toEqual(problems);
});

test('spaces around the address are dropped, spaces around a password are kept', () => {
  expect(normalizeCredentials({ email: ' nora@example.org ', password: ' x ' })).toEqual({
    email: 'nora@example.org',
    password: ' x ',
  });
});

test('all input that passes is accepted by the contract', () => {
  const word = fc.string({ maxLength: 1100, size: 'max' });
  void fc.assert(
    fc.property(fc.oneof(fc.emailAddress(), word), word, (email, password) => {
      const credentials = normalizeCredentials({ email, password });
      if (Object.keys(validateCredentials(credentials)).length > 0) return;
      expect(login.body.safeParse(credentials).success).toBe(true);
    }),
  );
});

test('every problem of a field has words in both languages', () => {
  for (const problem of ['emailMissing', 'emailInvalid', 'passwordMissing', 'passwordTooLong'] as const) {
    expect([en.form[problem].length, es.form[problem].length].every((length) => length > 10)).toBe(true);
  }
});
