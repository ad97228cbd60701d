import { ERROR_STATUS } from '@sendlap/contract/wire/errors.ts';
import { expect, test } from 'vitest';
import { REQUEST_ERRORS } from '#web/shared/api/errors.ts';
import { type Catalog, findMessage, type Message } from './format-message.ts';

type Texts = { [key: string]: string | Texts };

const files = import.meta.glob<Texts>('./{en,es}/*.json', { eager: true, import: 'default' });
const compiled = import.meta.glob<Catalog>('./{en,es}/*.json', { eager: true, query: '?compiled', import: 'default' });
const names = [...new Set(Object.keys(files).map((path) => path.slice(5, -5)))];
const texts = (language: string, name: string) => files[`./${language}/${name}.json`] ?? {};

/** Returns every text by its full key. */
function flatten(tree: Texts, prefix = ''): Map<string, string> {
  const flat = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') flat.set(prefix + key, value);
    else for (const [inner, text] of flatten(value, `${prefix}${key}.`)) flat.set(inner, text);
  }
  return flat;
}

/** Returns the values that a message uses; of a plural those of its most common form. */
function variables(message: Message | null | undefined): string[] {
  if (typeof message !== 'object' || message === null) return [];
  const shown = message.flatMap((part) => {
    if (typeof part === 'string') return [];
    const [name, kind = 'text'] = part;
    return typeof kind === 'string' ? [`${name}, ${kind}`] : variables(kind.other);
  });
  return shown.sort();
}

test.each(names)(
  '%s says the same things in English and Spanish, with the same variables [spec 1.language.complete]',
  (name) => {
    const [en, es] = [flatten(texts('en', name)), flatten(texts('es', name))];
    expect([...es.keys()].sort()).toEqual([...en.keys()].sort());
    for (const key of en.keys()) {
      const said = (language: string) => variables(findMessage(compiled[`./${language}/${name}.json`], key));
      expect([key, said('es')]).toEqual([key, said('en')]);
    }
  },
);

/** Texts that name a unit because their screen asks for a number in it, or because it is the name of a badge. */
const NAMES_A_UNIT =
  /^(edit|adjust)\.distance|^details\.otherPool\.|^body\..*(Unit|height_)|^units\.choice\.|^name\.kilometre_/;

test.each(names)('%s leaves lengths and weights to the user’s units', (name) => {
  const all = [...flatten(texts('en', name)), ...flatten(texts('es', name))];
  const unit =
    /[\d}]\s?(m|km|cm|kg|mi|yd|lb|ft)(?![\p{L}\d])|\b(kilo)?(metre|meter|metro|gram|gramo)s?\b|\b(mile|milla|yard|yarda|libra)s?\b|\bkg\b/iu;
  expect(all.filter(([key, text]) => unit.test(text) && !NAMES_A_UNIT.test(key))).toEqual([]);
});

test.each(names)('%s has one word each for the ranks and for the app', (name) => {
  const all = [...flatten(texts('en', name)), ...flatten(texts('es', name))];
  expect(all.filter(([, text]) => /\b(ranking|leaderboard)s?\b|\baplicación\b/i.test(text))).toEqual([]);
});

test.each(names)('%s has one Spanish word for who manages a center, and one for the deletion of an account', (name) => {
  const two_words = /llev(o|as) (este )?(centro|{center})|borrar (la|tu|mi) cuenta/i;
  expect([...flatten(texts('es', name))].filter(([, text]) => two_words.test(text))).toEqual([]);
});

test.each(names)('%s has no empty text', (name) => {
  const all = [...flatten(texts('en', name)), ...flatten(texts('es', name))];
  expect(all.filter(([, text]) => text.trim() === '')).toEqual([]);
});

test.each(names)('%s has one form of the apostrophe', (name) => {
  const all = [...flatten(texts('en', name)), ...flatten(texts('es', name))];
  expect(all.filter(([, text]) => text.includes('’'))).toEqual([]);
});

test.each(names)('%s calls an activity that a proof counts for confirmed, and never validated too', (name) => {
  const all = [...flatten(texts('en', name)), ...flatten(texts('es', name))];
  expect(all.filter(([, text]) => /\bvalidated\b|\bvalidad[ao]s?\b/i.test(text))).toEqual([]);
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

test('no text claims that energy is worked out, as nothing works it out', () => {
  const all = names.flatMap((name) => [...flatten(texts('en', name)), ...flatten(texts('es', name))]);
  expect(all.filter(([, text]) => /kcal|calor/i.test(text))).toEqual([]);
});
