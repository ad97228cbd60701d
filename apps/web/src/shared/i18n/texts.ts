import { files, first } from 'virtual:texts';
import { createListeners } from '#web/shared/lib/store.ts';
import { findMessage, formatMessage, type Values } from './format-message.ts';
import type { Language } from './language.ts';
import type { Namespace, TextKey } from './resources.ts';
import { textFileOf } from './text-groups.ts';

/** Returns the text of a key with its values. A key of another noun is written `noun:key`. */
export type Translate<Own extends Namespace, All extends Namespace = Own> = (
  key: TextKey<Own> | { [Name in All]: `${Name}:${TextKey<Name>}` }[All],
  values?: Values,
) => string;

/** Like `fetches` and `failed`, by language and noun. On most devices the sign-in screen waits for no other file. */
const catalogs = new Map(Object.entries(first).map(([noun, catalog]) => [`en/${noun}`, catalog]));
const fetches = new Map<string, Promise<void>>();
const failed = new Set<string>();
const pending_loads = new Map<string, Promise<void>>();
const translators = new Map<string, Translate<Namespace>>();
/** React reads the result of a promise with these fields at once. */
const NO_WAIT: Promise<void> = Object.assign(Promise.resolve(), { status: 'fulfilled', value: undefined });
const listeners = createListeners();
const requested = new Set<Namespace>();

/** Calls the listener when texts have loaded or the language has changed. Returns the function that unsubscribes it. */
export const subscribe = listeners.subscribe;
export const notifyListeners = listeners.notify;

export function hasTexts(language: Language, namespaces: readonly Namespace[]): boolean {
  return namespaces.every((namespace) => catalogs.has(pathOf(language, namespace)));
}

/** Returns all nouns whose texts were ever requested: another language needs them, too. */
export function requestedNamespaces(): Namespace[] {
  return [...requested];
}

/** Loads missing texts. Resolves even if some failed: see `hasTexts`. */
export async function fetchTexts(language: Language, namespaces: readonly Namespace[]): Promise<void> {
  for (const namespace of namespaces) requested.add(namespace);
  await Promise.all(namespaces.map((namespace) => fetchOnce(pathOf(language, namespace))));
}

/** Returns the promise that a component gives to `use`: it does not wait once all texts have loaded or failed. */
export function waitForTexts(language: Language, namespaces: readonly Namespace[]): Promise<void> {
  const paths = namespaces.map((namespace) => pathOf(language, namespace));
  if (paths.every((path) => catalogs.has(path) || failed.has(path))) return NO_WAIT;
  const list = paths.join();
  const wait = pending_loads.get(list) ?? fetchTexts(language, namespaces);
  pending_loads.set(list, wait);
  return wait;
}

/** Returns the same function for the same language and noun. A missing text is shown as its key. */
export function getTranslator<Own extends Namespace, All extends Namespace = Own>(
  language: Language,
  namespace: Own,
): Translate<Own, All> {
  const path = pathOf(language, namespace);
  const translate = translators.get(path) ?? createTranslator(language, namespace);
  translators.set(path, translate);
  return translate as Translate<Own, All>;
}

/** Returns whether the texts of a language are loaded and contain this key. */
export function isTextKey<N extends Namespace>(language: Language, namespace: N, key: string): key is TextKey<N> {
  return findMessage(catalogs.get(pathOf(language, namespace)), key) !== null;
}

function createTranslator(language: Language, own: Namespace): Translate<Namespace> {
  return (key, values = {}) => {
    const [name = key, text_namespace = own] = key.split(':').reverse();
    const message = findMessage(catalogs.get(pathOf(language, text_namespace)), name);
    return message === null ? name : formatMessage(message, values, language);
  };
}

function fetchOnce(path: string): Promise<void> {
  if (catalogs.has(path)) return Promise.resolve();
  const fetching = fetches.get(path) ?? fetchCatalog(path);
  fetches.set(path, fetching);
  return fetching;
}

async function fetchCatalog(path: string): Promise<void> {
  const [language = '', noun = ''] = path.split('/');
  const texts = await files[`${language}/${textFileOf(noun)}`]?.().catch(() => null);
  const catalog = texts?.default[noun];
  if (catalog) catalogs.set(path, catalog);
  else failed.add(path);
  // A screen may show keys in place of late texts: its translator must change, so that it renders again.
  if (catalog && failed.delete(path)) translators.clear();
  fetches.delete(path);
  notifyListeners();
}

function pathOf(language: Language, namespace: string): string {
  return `${language}/${namespace}`;
}
