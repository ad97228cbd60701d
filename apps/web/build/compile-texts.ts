import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, type Token } from '@messageformat/parser';
import type { Plugin } from 'vite';
import type { Catalog, Message, Part } from '../src/shared/i18n/format-message.ts';
import { FIRST_NOUNS, TEXT_GROUPS, textFileOf } from '../src/shared/i18n/text-groups.ts';

/** The source messages of one namespace in one language. */
export type Texts = { [key: string]: string | Texts };

const FOLDER = fileURLToPath(new URL('../src/shared/i18n', import.meta.url));
const FIRST = 'first';
const LANGUAGES = ['en', 'es'];
/** The module that names all files of texts, and the modules of these files, each a chunk of its own. */
const ALL = '\0virtual:texts';
const FILE = /^\0virtual:texts\/texts-(en|es)-([\w-]+)$/;
const COMPILED = /\/(en|es)(\/[\w-]+\.json)\?compiled$/;

/**
 * Compiles texts imported as `{en,es}/<noun>.json?compiled`, so that the browser needs no ICU parser, and makes the
 * modules of `virtual:texts`: one for each file of `TEXT_GROUPS` and language.
 */
export function compileTexts(): Plugin {
  return {
    name: 'sendlap-texts',
    enforce: 'pre',
    resolveId: (id) => (id.startsWith(ALL.slice(1)) ? `\0${id}` : null),
    load(id) {
      if (id === ALL) return listFiles();
      const [, language, name = ''] = FILE.exec(id) ?? [];
      return language ? exportTexts(language, name) : null;
    },
    transform: {
      filter: { id: COMPILED },
      handler(code, id) {
        const english = id.replace(COMPILED, '/en$2');
        this.addWatchFile(english);
        const catalog = compileCatalog(JSON.parse(code) as Texts, JSON.parse(readFileSync(english, 'utf8')) as Texts);
        return { code: `export default ${JSON.stringify(catalog)}`, map: null, moduleType: 'js' };
      },
    },
  };
}

function listFiles(): string {
  const nouns = readdirSync(`${FOLDER}/en`).map((file) => file.replace('.json', ''));
  const names = [...new Set(nouns.map(textFileOf))];
  const loads = LANGUAGES.flatMap((language) =>
    names.map((name) => `'${language}/${name}': () => import('virtual:texts/texts-${language}-${name}')`),
  );
  return `export { default as first } from 'virtual:texts/texts-en-${FIRST}'; export const files = { ${loads.join()} };`;
}

/** Returns the module of a file of texts. The English file of the first nouns lacks what the first script has. */
function exportTexts(language: string, name: string): string {
  const is_first = (noun: string) => (FIRST_NOUNS as readonly string[]).includes(noun);
  const rest = (TEXT_GROUPS[name] ?? [name]).filter((noun) => language !== 'en' || !is_first(noun));
  const nouns = name === FIRST ? FIRST_NOUNS : rest;
  const imports = nouns.map((noun, index) => `import t${index} from '${FOLDER}/${language}/${noun}.json?compiled';`);
  const entries = nouns.map((noun, index) => `'${noun}': t${index}`);
  return `${imports.join('')} export default { ${entries.join()} };`;
}

/** A text that a language lacks falls back to English. Throws as `compileMessage` does. */
export function compileCatalog(texts: Texts, english: Texts): Catalog {
  const catalog: Catalog = {};
  for (const [key, text] of Object.entries({ ...english, ...texts })) {
    const fallback = english[key];
    if (typeof text === 'string') catalog[key] = compileMessage(text);
    else catalog[key] = compileCatalog(text, typeof fallback === 'object' ? fallback : {});
  }
  return catalog;
}

/** Throws if a text is not an ICU message, or uses more than values, numbers and plurals. */
export function compileMessage(text: string): Message {
  return compileTokens(parse(text, { strict: true }), text, '');
}

function compileTokens(tokens: Token[], text: string, counted: string): Message {
  const parts = tokens.map((token) => compileToken(token, text, counted));
  return parts.every((part) => typeof part === 'string') ? parts.join('') : parts;
}

/** `counted`: the value that `#` refers to. */
function compileToken(token: Token, text: string, counted: string): Part {
  if (token.type === 'content') return token.value;
  if (token.type === 'argument') return [token.arg];
  if (token.type === 'octothorpe') return [counted, 'number'];
  if (token.type === 'function' && token.key === 'number' && !token.param) return [token.arg, 'number'];
  if (token.type !== 'plural' || token.pluralOffset) throw new Error(`neither a value, a number nor a plural: ${text}`);
  const forms = token.cases.map(({ key, tokens }) => [key, compileTokens(tokens, text, token.arg)] as const);
  if (!forms.some(([key]) => key === 'other')) throw new Error(`a plural without other: ${text}`);
  return [token.arg, Object.fromEntries(forms)];
}
