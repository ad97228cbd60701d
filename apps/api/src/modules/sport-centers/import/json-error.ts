const SPACE = /[ \t\r\n]*/y;
const TOKEN =
  /"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)|[{}[\],:]/uy;
const STRING_START = /"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/uy;

/** What has to stand next. */
export type Expected =
  | 'a value'
  | 'a value or "]"'
  | 'a key'
  | 'a key or "}"'
  | '":"'
  | '"," or the closing bracket'
  | 'nothing more';

/** Where a text stops being JSON, and what should have stood there. */
export type JsonError = { position: number; expected: Expected };

/** How far a text has been read: the brackets that are open, and what has to stand next. */
export type JsonState = { open: string[]; expected: Expected };

/**
 * Finds the first place where a text is not JSON; null where it is. JSON.parse itself names a position in some of its
 * messages only, and an operator with a file of a million lines needs it in all.
 */
export function findJsonError(text: string): JsonError | null {
  return findErrorFrom(text, 0, { open: [], expected: 'a value' });
}

/** The same from a position within a text, after what was read before it. */
export function findErrorFrom(text: string, from: number, state: JsonState): JsonError | null {
  const open = [...state.open];
  let { expected } = state;
  let at = from;
  while (true) {
    at = skipSpace(text, at);
    if (at >= text.length && expected === 'nothing more') return null;
    const token = readToken(text, at);
    const next: Expected | null = token === '' ? null : advance(token, expected, open);
    if (next === null) {
      // Where no string may stand, the slip is its first quote, however far it can be read.
      const isString = text[at] === '"' && token === '' && advance('""', expected, open) !== null;
      return { position: at + (isString ? match(STRING_START, text, at).length : 0), expected };
    }
    expected = next;
    at += token.length;
  }
}

/** Where the next token begins. */
export function skipSpace(text: string, at: number): number {
  return at + match(SPACE, text, at).length;
}

/** The token of JSON that begins at a position, empty where none does. */
export function readToken(text: string, at: number): string {
  return match(TOKEN, text, at);
}

/** What has to follow a token, or null where the token must not stand; keeps the list of open brackets where it may. */
export function advance(token: string, expected: Expected, open: string[]): Expected | null {
  const isValue = expected === 'a value' || expected === 'a value or "]"';
  if (token === '{' || token === '[') {
    if (!isValue) return null;
    open.push(token);
    return token === '{' ? 'a key or "}"' : 'a value or "]"';
  }
  if (token === '}' || token === ']') {
    const mayClose = expected === '"," or the closing bracket' || expected.endsWith(`or "${token}"`);
    if (!mayClose || open.at(-1) !== (token === '}' ? '{' : '[')) return null;
    open.pop();
    return afterValue(open);
  }
  if (token === ':') return expected === '":"' ? 'a value' : null;
  if (token === ',') {
    if (expected !== '"," or the closing bracket') return null;
    return open.at(-1) === '{' ? 'a key' : 'a value';
  }
  if (expected.startsWith('a key')) return token.startsWith('"') ? '":"' : null;
  return isValue ? afterValue(open) : null;
}

/** What has to follow a value. */
export function afterValue(open: string[]): Expected {
  return open.length === 0 ? 'nothing more' : '"," or the closing bracket';
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
