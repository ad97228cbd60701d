import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { expect, onTestFinished, test } from 'vitest';
import { findMessage, formatMessage, type Values } from '../src/shared/i18n/format-message.ts';
import { compileCatalog, compileMessage, compileTexts } from './compile-texts.ts';

const say = (text: string, values: Values = {}, locale = 'en') => formatMessage(compileMessage(text), values, locale);

test('a message without values needs nothing at run time', () => {
  expect(compileMessage("The athlete's code")).toBe("The athlete's code");
  expect(compileMessage("Braces '{so}' and a # outside of a plural")).toBe('Braces {so} and a # outside of a plural');
});

test('values are put in as they are, a missing one is left out', () => {
  expect(say('Hi {name}!', { name: '<b>{name} $t(title)</b>' })).toBe('Hi <b>{name} $t(title)</b>!');
  expect(say('{a}{b}', { a: 0 })).toBe('0');
});

test('numbers are written as the language does', () => {
  expect(say('{n, number} of {n}', { n: 12345.5 })).toBe('12,345.5 of 12345.5');
  expect(say('{n, number} de {n}', { n: 12345.5 }, 'es')).toBe('12.345,5 de 12345.5');
});

test.each([
  [0, 'None', 'Ninguno'],
  [1, '1 point by Eve', '1 punto de Eve'],
  [2, '2 points by Eve', '2 puntos de Eve'],
  [12345, '12,345 points by Eve', '12.345 puntos de Eve'],
  [1_000_000, '1,000,000 points by Eve', '1.000.000 puntos de Eve'],
])('a plural of %s takes an exact count, then the form of the language, then other', (count, english, spanish) => {
  const values = { count, name: 'Eve' };
  expect(say('{count, plural, =0 {None} one {# point by {name}} other {# points by {name}}}', values)).toBe(english);
  const text = '{count, plural, =0 {Ninguno} one {# punto de {name}} other {# puntos de {name}}}';
  expect(say(text, values, 'es')).toBe(spanish);
});

test.each([
  'Hi {name',
  '{count, plural, one {# point}}',
  '{count, plural, many_more {#} other {#}}',
  '{count, plural, offset:1 one {#} other {#}}',
  '{day, date}',
  '{n, number, percent}',
  '{who, select, me {I} other {you}}',
  '{n, selectordinal, one {#st} other {#th}}',
])('%s is refused by the build', (text) => {
  expect(() => compileMessage(text)).toThrow();
});

test('a text that Spanish lacks is taken from English, a whole group too [spec 8.translation.english]', () => {
  const english = { retry: 'Retry', nav: { home: 'Home', me: 'You, {name}' }, new: { title: 'New' } };
  const catalog = compileCatalog({ retry: 'Reintentar', nav: { home: 'Inicio' } }, english);
  const read = (key: string) => formatMessage(findMessage(catalog, key) ?? '', { name: 'Eve' }, 'es');
  expect(['retry', 'nav.home', 'nav.me', 'new.title'].map(read)).toEqual(['Reintentar', 'Inicio', 'You, Eve', 'New']);
});

test('the build puts compiled messages, with their English fallback, where they are imported', async () => {
  const root = mkdtempSync(join(tmpdir(), 'sendlap-texts-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const language of ['en', 'es']) mkdirSync(join(root, language));
  writeFileSync(join(root, 'en/qr.json'), '{ "title": "Codes", "left": "{s, number} s left" }');
  writeFileSync(join(root, 'es/qr.json'), '{ "title": "Códigos" }');
  writeFileSync(join(root, 'main.js'), "import texts from './es/qr.json?compiled'; export const found = texts;");
  const lib = { entry: join(root, 'main.js'), formats: ['es' as const] };
  const options = { root, configFile: false, logLevel: 'error' } as const;
  const built = await build({ ...options, plugins: [compileTexts()], build: { write: false, lib } });
  const [{ output }] = built as unknown as [{ output: [{ code: string }] }];
  const { found } = await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
  expect(found).toEqual({ title: 'Códigos', left: [['s', 'number'], ' s left'] });
});
