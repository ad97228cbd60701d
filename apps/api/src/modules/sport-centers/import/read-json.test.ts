import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Input } from './input.ts';
import { findJsonError } from './json-error.ts';
import { scanDocument } from './read-json.ts';
import { ImportError } from './types.ts';

/** A text that comes in pieces, cut wherever the numbers say. */
function inPieces(text: string, cuts: number[]): Input {
  const ends = [...cuts.map((cut) => cut % (text.length + 1)), text.length].sort((a, b) => a - b);
  return {
    bytes: text.length,
    async *open() {
      let from = 0;
      for (const end of ends) {
        yield { text: text.slice(from, end), bytes_read: end };
        from = end;
      }
    },
  };
}

async function read(input: Input) {
  const values: unknown[] = [];
  const scan = scanDocument(input, { parse: true });
  let step = await scan.next();
  while (!step.done) {
    values.push(...step.value);
    step = await scan.next();
  }
  return { values, head: step.value.value };
}

const json = fc.json({ maxDepth: 3 }).map((text): unknown => JSON.parse(text));
const cuts = fc.array(fc.nat(), { maxLength: 12 });
const document = fc.record({
  before: json,
  features: fc.array(fc.oneof({ weight: 3, arbitrary: fc.dictionary(fc.string(), json) }, json), { maxLength: 8 }),
  after: json,
});
const space = fc.constantFrom(undefined, 1, '\t');

describe('a document read in pieces', () => {
  it('gives every record in order and all else of the document, wherever the pieces end', async () => {
    await fc.assert(
      fc.asyncProperty(document, space, cuts, async (value, indent, ends) => {
        const text = JSON.stringify(value, null, indent);
        const { features, ...rest } = JSON.parse(text);
        expect(await read(inPieces(text, ends))).toEqual({ values: features, head: { ...rest, features: [] } });
      }),
      { numRuns: 500 },
    );
  });

  it('is refused at the very line and column where it stops being JSON, or for being no format, never read as another', async () => {
    const slip = fc.constantFrom(',', ':', '"', '}', ']', '{', '[', '1', 'x', '\n', '\\', '');
    await fc.assert(
      fc.asyncProperty(
        document,
        space,
        fc.nat(),
        slip,
        fc.boolean(),
        cuts,
        async (value, indent, at, what, cut, ends) => {
          const whole = JSON.stringify(value, null, indent);
          const place = at % (whole.length + 1);
          const text = `${whole.slice(0, place)}${what}${cut ? '' : whole.slice(place)}`;
          const error = findJsonError(text);
          if (error === null) return;
          const lines = text.slice(0, error.position).split('\n');
          const where = `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}: `;
          const thrown = await read(inPieces(text, ends)).catch((reason: unknown) => reason);
          expect(thrown).toBeInstanceOf(ImportError);
          expect(thrown).toMatchObject({ code: 'not_json', message: expect.stringContaining(where) });
        },
      ),
      { numRuns: 1000 },
    );
  });
});
