import { expect, test } from 'vitest';
import { initialLanguage } from './language.ts';

test.each([
  [null, ['de-DE'], 'en'],
  [null, [], 'en'],
  ['fr', ['fr-FR'], 'en'],
  ['pt', ['es-MX'], 'es'],
  [null, ['es'], 'es'],
  [null, ['ES-419'], 'es'],
  [null, ['en-GB'], 'en'],
  ['es', ['en-GB'], 'es'],
  ['en', ['es-ES'], 'en'],
  [null, ['ca-ES', 'es-ES', 'en'], 'es'],
  [null, ['eu', 'en-GB', 'es'], 'en'],
] as const)('preference %j in a browser of %j gives %s', (stored, browser, language) => {
  expect(initialLanguage(stored, browser)).toBe(language);
});
