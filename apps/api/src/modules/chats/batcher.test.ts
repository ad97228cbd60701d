import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemTimer } from '#api/platform/timer.ts';
import { createBatcher } from './batcher.ts';

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
  key: string;
  /** Makes its batch fail. */
  is_bad: boolean;
  /** Makes its batch fail, and each of its items alone. */
  is_outage: boolean;
}

const item = fc.record({
  at: fc.nat({ max: 150 }),
  key: fc.nat({ max: 60 }).map(String),
  is_bad: fc.boolean(),
  is_outage: fc.constantFrom(false, false, false, true),
});

/** Returns the end of each item, and the order of execution. */
async function play(items: Item[]) {
  const done: Item[] = [];
  const sizes: number[] = [];
  let running = 0;
  const run = async (batch: Item[]): Promise<string[]> => {
    running += 1;
    sizes.push(batch.length);
    expect([running, batch.length]).toEqual([1, Math.min(batch.length, MAX_ITEMS)]);
    expect(new Set(batch.map(({ key }) => key)).size).toBe(batch.length);
    await new Promise<void>((resolve) => systemTimer.after(RUN_MS, resolve));
    running -= 1;
    if (batch.some(({ is_outage }) => is_outage)) throw new Error('outage');
    if (batch.some(({ is_bad }) => is_bad)) throw new Error('bad');
    done.push(...batch);
    return batch.map(({ nth }) => `done ${nth}`);
  };
  const batcher = createBatcher<Item, string>({
    run,
    max_items: MAX_ITEMS,
    keyOf: ({ key }) => key,
    isSame: (one, other) => one.is_bad === other.is_bad,
    failsForAll: (error) => (error as Error).message === 'outage',
  });
  const ends = new Map<Item, { outcome: string; is_copy: boolean }>();
  for (const each of items) {
    systemTimer.after(each.at, () => {
      const { outcome, is_duplicate } = batcher.add(each);
      const end = (how: string) => {
        expect(ends.has(each)).toBe(false);
        ends.set(each, { outcome: how, is_copy: is_duplicate });
      };
      outcome.then(end, (error: Error) => end(error.message));
    });
  }
  await vi.advanceTimersByTimeAsync(60_000);
  return { ends, done, sizes };
}

test('whatever arrives and fails: each item ends once, with its own outcome, in the order of arrival', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 40 }), async (arriving) => {
      const items = arriving.toSorted((one, other) => one.at - other.at).map((each, nth): Item => ({ ...each, nth }));
      const { ends, done } = await play(items);
      expect(vi.getTimerCount()).toBe(0);
      expect(ends.size).toBe(items.length);
      for (const [{ nth, is_bad, is_outage }, { outcome, is_copy }] of ends) {
        if (is_copy) continue;
        // An outage fails the whole batch.
        if (outcome !== 'outage') expect([outcome, is_outage]).toEqual([is_bad ? 'bad' : `done ${nth}`, false]);
      }
      const own = items.filter((each) => ends.get(each)?.is_copy === false);
      const single = done.filter(({ key }) => own.filter((other) => other.key === key).length === 1);
      expect(single.map(({ nth }) => nth)).toEqual(single.map(({ nth }) => nth).toSorted((one, other) => one - other));
    }),
    { numRuns: 150 },
  );
});

test('items that arrive while a batch runs form the next one; a copy of a queued item shares its outcome', async () => {
  const items = [0, 1, 2, 3].map((nth): Item => {
    return { nth, at: nth === 0 ? 0 : 5, key: nth === 3 ? '2' : `${nth}`, is_bad: false, is_outage: false };
  });
  const { ends, sizes } = await play(items);
  expect(sizes).toEqual([1, 2]);
  expect([...ends.values()]).toEqual([
    { outcome: 'done 0', is_copy: false },
    { outcome: 'done 1', is_copy: false },
    { outcome: 'done 2', is_copy: false },
    { outcome: 'done 2', is_copy: true },
  ]);
});
