import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonError } from './json-error.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('where a text stops being JSON', () => {
  it.each([
    ['[1, oops]', 4, 'a value'],
    ['{"a" 1}', 5, '":"'],
    ['{"a": 1,}', 8, 'a key'],
    ['[1, 2,]', 6, 'a value'],
    ['[1 2]', 3, '"," or the closing bracket'],
    ['{"a": [1}', 8, '"," or the closing bracket'],
    ['{"a": "b', 8, 'a value'],
    ['["a\nb"]', 3, 'a value or "]"'],
    ['[01]', 1, 'a value or "]"'],
    ['{} {}', 3, 'nothing more'],
    ['{} "before', 3, 'nothing more'],
    ['[1 "before', 3, '"," or the closing bracket'],
    ['', 0, 'a value'],
  ])('%j', (text, position, expected) => {
    expect(findJsonError(text)).toEqual({ position, expected });
  });

  it('agrees with JSON.parse about every text', () => {
    const json = fc.json();
    const cut = fc.tuple(json, fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1)));
    const slip = fc
      .tuple(json, fc.nat(), fc.constantFrom(',', ':', '"', '}', ']', '{', '1', 'x', '\n', '\\'))
      .map(
        ([text, at, what]) => `${text.slice(0, at % (text.length + 1))}${what}${text.slice(at % (text.length + 1))}`,
      );
    fc.assert(
      fc.property(fc.oneof(json, cut, slip), (text) => {
        expect(findJsonError(text) === null).toBe(isJson(text));
      }),
      { numRuns: 2000 },
    );
  });
});
