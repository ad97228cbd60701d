import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CountedBlocks } from './counted-blocks.ts';

/** Eight consecutive numbers share the same points; the higher number comes first. */
function pointsOf(entry: number): number {
  return entry >>> 3;
}

function makeBlocks(): CountedBlocks {
  return new CountedBlocks({ pointsOf, compareTied: (one, other) => other - one });
}

function expectSame(blocks: CountedBlocks, model: number[]): void {
  expect(blocks.size).toBe(model.length);
  expect(blocks.slice(0, model.length + 5)).toEqual(model);
  for (const at of [0, 1, 255, 256, 383, 384, 511, 512, model.length / 2, model.length].map(Math.floor)) {
    expect(blocks.slice(at, 3)).toEqual(model.slice(at, at + 3));
    const entry = model[at];
    if (entry === undefined) continue;
    expect(blocks.positionOf(entry)).toBe(at);
    const points = pointsOf(entry);
    expect(blocks.countAbove(points)).toBe(model.filter((other) => pointsOf(other) > points).length);
    expect(blocks.countAbove(points - 1)).toBe(model.filter((other) => pointsOf(other) >= points).length);
  }
}

describe('CountedBlocks', () => {
  it('refuses to remove an absent item', () => {
    const blocks = makeBlocks();
    expect(() => blocks.remove(7)).toThrow('not where its key says');
    blocks.insert(8);
    expect(() => blocks.remove(7)).toThrow('not where its key says');
    expect(blocks.slice(0, 5)).toEqual([8]);
  });

  it('is empty again when all were taken out', () => {
    const blocks = makeBlocks();
    for (let number = 0; number < 3000; number++) blocks.insert(number);
    for (let number = 2999; number >= 0; number--) blocks.remove(number);
    expectSame(blocks, []);
    blocks.insert(4);
    expectSame(blocks, [4]);
  });

  it('keeps every number in its place while blocks split and join', () => {
    // A run of neighbours splits blocks in one place; removing most of them again makes small blocks.
    const step = fc.record({
      from: fc.nat(4000),
      count: fc.integer({ min: 1, max: 900 }),
      stride: fc.integer({ min: 1, max: 5 }),
      is_insert: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.nat(3000), fc.array(step, { maxLength: 12 }), (loaded, steps) => {
        const blocks = makeBlocks();
        const inside = new Set(Array.from({ length: loaded }, (_, index) => 3 * index));
        blocks.load(Uint32Array.from([...inside].sort((one, other) => other - one)));
        for (const { from, count, stride, is_insert } of steps) {
          for (let number = from; number < from + count * stride; number += stride) {
            if (inside.has(number) === is_insert) continue;
            if (is_insert) blocks.insert(number);
            else blocks.remove(number);
            if (!inside.delete(number)) inside.add(number);
          }
        }
        expectSame(
          blocks,
          [...inside].sort((one, other) => other - one),
        );
      }),
      { numRuns: 150 },
    );
  });
});
