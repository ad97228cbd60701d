import { expect, test } from 'vitest';
import { whileVisible } from './while-visible.ts';

/** A page whose tab becomes visible and hidden. */
function createPage() {
  const page = Object.assign(new EventTarget(), { visibilityState: 'hidden' as DocumentVisibilityState });
  const turn = async (state: DocumentVisibilityState) => {
    page.visibilityState = state;
    page.dispatchEvent(new Event('visibilitychange'));
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { page, turn };
}

test('the work runs only while the page is visible, again each time, and never twice at once', async () => {
  const { page, turn } = createPage();
  const stop = new AbortController();
  let [runs, running] = [0, 0];
  const work = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      runs += 1;
      running += 1;
      signal.addEventListener('abort', () => {
        running -= 1;
        resolve();
      });
    });
  const ended = whileVisible(work, stop.signal, page as unknown as Document);
  expect([runs, running]).toEqual([0, 0]);
  await turn('visible');
  await turn('visible');
  expect([runs, running]).toEqual([1, 1]);
  await turn('hidden');
  expect([runs, running]).toEqual([1, 0]);
  await turn('visible');
  expect([runs, running]).toEqual([2, 1]);
  stop.abort();
  await ended;
  await turn('visible');
  expect([runs, running]).toEqual([2, 0]);
});

test('nothing runs once it was stopped while hidden', async () => {
  const { page, turn } = createPage();
  const stop = new AbortController();
  let runs = 0;
  const ended = whileVisible(
    async () => {
      runs += 1;
    },
    stop.signal,
    page as unknown as Document,
  );
  stop.abort();
  await ended;
  await turn('visible');
  expect(runs).toBe(0);
});
