import { ERROR_STATUS } from '@sendlap/contract/errors.ts';
import { expect, test } from 'vitest';
import { REQUEST_ERRORS } from '#web/shared/api/errors.ts';

type Texts = { [key: string]: string | Texts };

const files = import.meta.glob<Texts>('./{en,es}/*.json', { eager: true, import: 'default' });
const names = [...new Set(Object.keys(files).map((path) => path.slice(5, -5)))];
const texts = (language: string, name: string) => files[`./${language}/${name}.json`] ?? {};

/** Every text by its whole key; the forms of a plural count as one, for languages have different ones. */
function flatten(tree: Texts, prefix = ''): Map<string, string> {
  const flat = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') flat.set(prefix + key.replace(/_(zero|one|two|few|many|other)$/, ''), value);
    else for (const [inner, text] of flatten(value, `${prefix}${key}.`)) flat.set(inner, text);
  }
  return flat;
}

const variables = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name]) => name).sort();

test.each(names)(
  '%s says the same things in English and Spanish, with the same variables [spec 1.language.complete]',
  (name) => {
    const [en, es] = [flatten(texts('en', name)), flatten(texts('es', name))];
    expect([...es.keys()].sort()).toEqual([...en.keys()].sort());
    for (const [key, text] of en) expect([key, variables(es.get(key) ?? '')]).toEqual([key, variables(text)]);
  },
);

test.each(names)('%s has no empty text', (name) => {
  const all = [...flatten(texts('en', name)), ...flatten(texts('es', name))];
  expect(all.filter(([, text]) => text.trim() === '')).toEqual([]);
});

test('every error code of the contract and of the request layer has a text in both languages', () => {
  const codes = [...Object.keys(ERROR_STATUS), ...Object.keys(REQUEST_ERRORS)];
  for (const language of ['en', 'es']) {
    const known = texts(language, 'errors');
    expect(codes.filter((code) => typeof known[code] !== 'string')).toEqual([]);
  }
});

test('the English texts of the request layer are the catalogue’s', () => {
  const { UNKNOWN_ERROR: _, ...exact } = REQUEST_ERRORS;
  expect(texts('en', 'errors')).toMatchObject(exact);
});

test('no text says that energy is worked out, which nothing does', () => {
  const all = names.flatMap((name) => [...flatten(texts('en', name)), ...flatten(texts('es', name))]);
  expect(all.filter(([, text]) => /kcal|calor/i.test(text))).toEqual([]);
});
