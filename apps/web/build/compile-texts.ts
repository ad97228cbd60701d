import { readFileSync } from 'node:fs';
import { parse, type Token } from '@messageformat/parser';
import type { Plugin } from 'vite';
import type { Catalog, Message, Part } from '../src/shared/i18n/format-message.ts';

/** The source messages of one namespace in one language. */
export type Texts = { [key: string]: string | Texts };

const COMPILED = /\/(en|es)(\/[\w-]+\.json)\?compiled$/;

/** Compiles texts imported as `{en,es}/<noun>.json?compiled`, so that the browser needs no ICU parser. */
export function compileTexts(): Plugin {
  return {
    name: 'sendlap-texts',
    enforce: 'pre',
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
