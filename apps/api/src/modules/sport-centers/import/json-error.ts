const SPACE = /[ \t\r\n]*/y;
const TOKEN =
  /"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)|[{}[\],:]/uy;
const STRING_START = /"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/uy;

type Expected =
  | 'a value'
  | 'a value or "]"'
  | 'a key'
  | 'a key or "}"'
  | '":"'
  | '"," or the closing bracket'
  | 'nothing more';

/** Where a text stops being JSON, and what should have stood there. */
export type JsonError = { position: number; expected: Expected };

/**
 * Finds the first place where a text is not JSON; null where it is. JSON.parse itself names a position in some of its
 * messages only, and an operator with a file of a million lines needs it in all.
 */
export function findJsonError(text: string): JsonError | null {
  const open: string[] = [];
  let expected: Expected = 'a value';
  let at = 0;
  while (true) {
    at += match(SPACE, text, at).length;
    if (at >= text.length && expected === 'nothing more') return null;
    const token = match(TOKEN, text, at);
    const next: Expected | null = token === '' ? null : advance(token, expected, open);
    if (next === null) {
      const inside = text[at] === '"' && token === '' ? match(STRING_START, text, at).length : 0;
      return { position: at + inside, expected };
    }
    expected = next;
    at += token.length;
  }
}

/** What has to follow a token, or null where the token must not stand; keeps the list of open brackets. */
function advance(token: string, expected: Expected, open: string[]): Expected | null {
  const isValue = expected === 'a value' || expected === 'a value or "]"';
  if (token === '{' || token === '[') {
    if (!isValue) return null;
    open.push(token);
    return token === '{' ? 'a key or "}"' : 'a value or "]"';
  }
  if (token === '}' || token === ']') {
    const mayClose = expected === '"," or the closing bracket' || expected.endsWith(`or "${token}"`);
    if (!mayClose || open.pop() !== (token === '}' ? '{' : '[')) return null;
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

function afterValue(open: string[]): Expected {
  return open.length === 0 ? 'nothing more' : '"," or the closing bracket';
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
