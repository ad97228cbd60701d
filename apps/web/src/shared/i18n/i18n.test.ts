import { beforeAll, expect, test, vi } from 'vitest';
import { changeLanguage, currentLanguage, loadNamespaces, startI18n } from './i18n.ts';
import type { Language } from './language.ts';
import { getTranslator, isTextKey } from './texts.ts';

beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: { lang: '' } });
  await startI18n();
});

test('a text that English lacks too is shown as its key [spec 8.translation.key]', () => {
  expect(getTranslator('en', 'shell')('missing.key' as 'retry')).toBe('missing.key');
  expect(getTranslator<'auth', 'shell'>('en', 'auth')('shell:missing.key' as 'shell:retry')).toBe('missing.key');
  expect(getTranslator('en', 'shell')('nav' as 'retry')).toBe('nav');
  expect(getTranslator('en', 'shell')('constructor' as 'retry')).toBe('constructor');
});

test('the texts of a language are loaded once it is chosen, of all nouns that a screen has requested', async () => {
  await loadNamespaces(['chats']);
  expect(isTextKey('es', 'chats', 'title')).toBe(false);
  await changeLanguage('es');
  expect(getTranslator('es', 'shell')('retry')).toBe('Reintentar');
  expect(isTextKey('es', 'chats', 'title')).toBe(true);
  expect(document.documentElement.lang).toBe('es');
});

test('the language that was chosen last is the one that stays', async () => {
  await changeLanguage('es');
  await loadNamespaces(['qr']);
  await changeLanguage('en');
  await loadNamespaces(['tour']);
  await Promise.all([changeLanguage('es'), changeLanguage('en')]);
  expect([currentLanguage(), document.documentElement.lang]).toEqual(['en', 'en']);
});

test('no other language can be chosen', async () => {
  await changeLanguage('fr' as Language);
  expect(currentLanguage()).toBe('en');
});

test('texts that do not come are an error for the screen that needs them', async () => {
  await expect(loadNamespaces(['no-noun' as 'shell'])).rejects.toThrow('no-noun');
});
