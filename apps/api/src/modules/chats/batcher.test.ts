import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemTimer } from '#api/platform/timer.ts';
import { createBatcher } from './batcher.ts';

const PATIENCE_MS = 2_000;
const MOST_DELAY_MS = 250;
const RUN_MS = 10;
const MAX_ITEMS = 5;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

interface Item {
  nth: number;
  at: number;
  part: string;
  key: string;
  /** Makes its group fail. */
  is_bad: boolean;
}

/** A part that another transaction holds, from when until when. */
interface Hold {
  part: string;
  from: number;
  until: number;
}

type Outcome = 'done' | 'busy';

const part = fc.constantFrom('a', 'b', 'c');
const item = fc.record({ at: fc.nat({ max: 150 }), part, is_bad: fc.boolean(), key: fc.nat({ max: 60 }) });
const hold = fc
  .record({ part, from: fc.nat({ max: 150 }), for: fc.oneof(fc.nat({ max: 60 }), fc.nat({ max: 4_000 })) })
  .map((one): Hold => ({ part: one.part, from: one.from, until: one.from + one.for }));

/** Returns the outcome and the time of each item, and the order of execution. */
async function play(items: Item[], holds: Hold[]) {
  const start = performance.now();
  const clock = () => performance.now() - start;
  const isHeld = (one: string) =>
    holds.some((each) => each.part === one && each.from <= clock() && clock() < each.until);
  const done: Item[] = [];
  let running = 0;
  const run = async (group: Item[]): Promise<Outcome[]> => {
    running += 1;
    expect([running, group.length]).toEqual([1, Math.min(group.length, MAX_ITEMS)]);
    expect(new Set(group.map(({ key }) => key)).size).toBe(group.length);
    const outcomes = group.map((one): Outcome => (isHeld(one.part) ? 'busy' : 'done'));
    const is_bad = group.some((one) => one.is_bad && !isHeld(one.part));
    if (!is_bad) done.push(...group.filter((one) => !isHeld(one.part)));
    await new Promise<void>((resolve) => systemTimer.after(RUN_MS, resolve));
    running -= 1;
    if (is_bad) throw new Error('bad');
    return outcomes;
  };
  const grouping = createBatcher<Item, Outcome>({
    ...{ run, max_wait_ms: PATIENCE_MS, max_items: MAX_ITEMS },
    keyOf: ({ key }) => key,
    partitionOf: (one) => one.part,
    isSame: (one, other) => one.part === other.part && one.is_bad === other.is_bad,
    isBusy: (outcome) => outcome === 'busy',
    failsForAll: () => false,
  });
  const ends = new Map<Item, { outcome: Outcome | 'bad'; at: number; is_copy: boolean }>();
  for (const one of items) {
    systemTimer.after(one.at, () => {
      const { outcome, is_duplicate } = grouping.add(one);
      const end = (how: Outcome | 'bad') => {
        expect(ends.has(one)).toBe(false);
        ends.set(one, { outcome: how, at: clock(), is_copy: is_duplicate });
      };
      outcome.then(end, () => end('bad'));
    });
  }
  await vi.advanceTimersByTimeAsync(60_000);
  return { ends, done };
}

test('whatever is held, and for how long: each item ends once, those of a part in their order, and none waits too long', async () => {
  const arrivals = fc.array(item, { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(arrivals, fc.array(hold, { maxLength: 4 }), async (arriving, holds) => {
      const items = arriving
        .toSorted((one, other) => one.at - other.at)
        .map((one, nth): Item => ({ ...one, nth, key: `${one.key}` }));
      const { ends, done } = await play(items, holds);
      expect(vi.getTimerCount()).toBe(0);
      expect(ends.size).toBe(items.length);
      const own = items.filter((one) => ends.get(one)?.is_copy === false);
      expect(own.filter((one) => ends.get(one)?.outcome === 'done')).toEqual(
        done.toSorted((one, other) => one.nth - other.nth),
      );
      // Items of one key run one after the other, in separate groups.
      const single = done.filter(({ key }) => own.filter((other) => other.key === key).length === 1);
      for (const name of ['a', 'b', 'c']) {
        const order = single.filter((one) => one.part === name).map(({ nth }) => nth);
        expect(order).toEqual(order.toSorted((one, other) => one - other));
      }
      // Each item that runs alone takes a while.
      const most_ms = PATIENCE_MS + MOST_DELAY_MS + (3 * items.length + 20) * RUN_MS;
      for (const [one, { outcome, at, is_copy }] of ends) {
        expect(at - one.at).toBeLessThanOrEqual(most_ms);
        if (outcome === 'busy' && !is_copy) expect(at - one.at).toBeGreaterThanOrEqual(PATIENCE_MS);
      }
    }),
    { numRuns: 150 },
  );
});

test('what is held is done soon after it is free, and keeps nothing else waiting', async () => {
  const held = { nth: 0, at: 0, part: 'a', key: 'held', is_bad: false };
  const free = [100, 500, 990].map((at, nth): Item => ({ ...held, nth, at, part: 'b', key: `free ${nth}` }));
  const copy = { ...held, nth: 9, at: 500 };
  const { ends } = await play([held, ...free, copy], [{ part: 'a', from: 0, until: 1_000 }]);
  // A try already in flight comes first.
  for (const one of free) expect(ends.get(one)?.at).toBeLessThanOrEqual(one.at + 2 * RUN_MS + 1);
  expect(ends.get(held)).toMatchObject({ outcome: 'done', is_copy: false });
  expect(ends.get(held)?.at).toBeLessThanOrEqual(1_000 + MOST_DELAY_MS + RUN_MS);
  expect(ends.get(copy)).toEqual({ ...ends.get(held), is_copy: true });
});

test('what is done alone, for another one is bad, does not overtake what was found held', async () => {
  const items = ['bad', 'one', 'two'].map((key, nth): Item => {
    return { nth, at: 0, part: key === 'bad' ? 'b' : 'a', key, is_bad: key === 'bad' };
  });
  const { done } = await play(items, [{ part: 'a', from: 0, until: 2.5 * RUN_MS }]);
  expect(done.map(({ key }) => key)).toEqual(['one', 'two']);
});
