import i18next from 'i18next';
import { beforeAll, expect, test, vi } from 'vitest';
import { startI18n } from './i18n.ts';

beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: { lang: '' } });
  await startI18n();
  await i18next.changeLanguage('es');
  i18next.addResource('en', 'shell', 'only_english', 'Only in English');
});

test('a text that Spanish lacks is shown in English [spec 8.translation.english]', () => {
  expect(i18next.t('shell:retry')).toBe('Reintentar');
  expect(i18next.t('shell:only_english' as 'shell:retry')).toBe('Only in English');
});

test('a text that English lacks too is shown as its key [spec 8.translation.key]', () => {
  expect(i18next.t('shell:nobody.has.this' as 'shell:retry')).toBe('nobody.has.this');
});

test('no other language can be chosen', async () => {
  await i18next.changeLanguage('fr');
  expect(i18next.t('shell:retry')).toBe('Retry');
});
