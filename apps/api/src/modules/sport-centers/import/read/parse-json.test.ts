import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from './parse-json.ts';
import { ImportError } from './types.ts';

function errorOf(text: string, first_line?: number): ImportError | null {
  try {
    parseJson(text, first_line);
    return null;
  } catch (error) {
    return error instanceof ImportError ? error : expect.fail(String(error));
  }
}

const END = /the file (?:ends in the middle|is empty)/;

/** Whether more text could still make it JSON: it is complete, or ends in the middle. */
function isBeginning(text: string): boolean {
  const error = errorOf(text);
  return error === null || END.test(error.message);
}

/** The text before the line and column named in an error. */
function textBefore(text: string, { message }: ImportError): string {
  const [, line = 0, column = 0] = /^line (\d+), column (\d+): /.exec(message)?.map(Number) ?? [];
  const lines = text.split('\n').slice(0, line);
  return [...lines.slice(0, -1), lines.at(-1)?.slice(0, column - 1)].join('\n');
}

describe('where a text stops being JSON', () => {
  it.each([
    ['[1, oops]', 'line 1, column 5: Unexpected token \'o\', at "oops]"'],
    ['{"a" 1}', 'line 1, column 6: Expected \':\' after property name, at "1}"'],
    ['[1, 2,]', 'line 1, column 7: Unexpected token \']\', at "]"'],
    ['{"a":\n [1}', "line 2, column 4: Expected ',' or ']' after array element, at \"}\""],
    ['{"a": "b', 'line 1, column 9: the file ends in the middle, it is truncated'],
    ['[1,\n2,\n', 'line 3, column 1: the file ends in the middle, it is truncated'],
    ['["a\nb"]', 'line 1, column 4: Bad control character in string literal, at ""'],
    ['{} {}', 'line 1, column 4: Unexpected non-whitespace character after JSON, at "{}"'],
    ['', 'line 1, column 1: the file is empty'],
  ])('%j', (text, message) => {
    expect(errorOf(text)?.message).toBe(message);
  });

  it('is found where the same text occurs earlier in the file, within a string', () => {
    const row = '{"id": 1, "name": "Sala Uno", "n": oops, "x": 1234567890}';
    const text = `[\n${JSON.stringify({ name: row })},\n${row}]`;
    expect(errorOf(text)?.message).toBe('line 3, column 36: Unexpected token \'o\', at "oops, \\"x\\": 1"');
  });

  it('counts lines from the one that a text of a sequence begins at', () => {
    expect(errorOf('{"a": 1,}', 7)).toMatchObject({ line: 7, message: expect.stringMatching(/^line 7, column 9: /) });
  });

  it('is the first place that no text can follow, for every text that JSON.parse refuses', () => {
    const json = fc.json({ maxDepth: 4 });
    const space = fc.constantFrom('', ' ', '\n');
    const slip = fc
      .tuple(
        json,
        fc.nat(),
        fc.constantFrom(',', ':', '"', '}', ']', '{', '1', 'x', '\n', '\\', ''),
        fc.boolean(),
        space,
      )
      .map(([text, at, what, isCut, indent]) => {
        const whole = JSON.stringify(JSON.parse(text), null, indent);
        const end = at % (whole.length + 1);
        return `${whole.slice(0, end)}${what}${isCut ? '' : whole.slice(end)}`;
      });
    fc.assert(
      fc.property(slip, (text) => {
        const error = errorOf(text);
        if (error === null || END.test(error.message)) return;
        const before = textBefore(text, error);
        expect(isBeginning(before)).toBe(true);
        expect(isBeginning(text.slice(0, before.length + 1))).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });
});
