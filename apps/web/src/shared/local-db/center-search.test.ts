import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CenterWorkerReply, CenterWorkerRequest, CopyPage } from './center-search-messages.ts';

const REQUEST = { query: { q: 'roca', sort: 'name' as const }, limit: 20, after: null };
const PAGE: CopyPage = {
  items: [],
  next: null,
  total: 0,
  total_is_lower_bound: false,
  cached_at: null,
  loose_at: null,
  saved: 3,
};

/** Workers that only answer when a test tells them to. */
class SilentWorker extends EventTarget {
  static made: SilentWorker[] = [];
  asked: CenterWorkerRequest[] = [];
  terminate = vi.fn();

  constructor() {
    super();
    SilentWorker.made.push(this);
  }

  postMessage(question: CenterWorkerRequest): void {
    this.asked.push(question);
  }

  answer(at: number): void {
    const data = { number: this.asked[at]?.number ?? 0, page: PAGE } satisfies CenterWorkerReply;
    this.dispatchEvent(new MessageEvent('message', { data }));
  }
}

async function openPage() {
  vi.resetModules();
  return import('./center-search.ts');
}

beforeEach(() => {
  SilentWorker.made = [];
  vi.useFakeTimers();
  vi.stubGlobal('Worker', SilentWorker);
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('a worker that hangs times out, and the next question gets a new one', async () => {
  const { searchCopies, ANSWER_TIMEOUT_MS } = await openPage();
  const first = searchCopies(REQUEST);
  vi.advanceTimersByTime(ANSWER_TIMEOUT_MS - 1);
  const second = searchCopies(REQUEST);
  vi.advanceTimersByTime(1);
  expect(await Promise.all([first, second])).toEqual([null, null]);
  expect(SilentWorker.made[0]?.terminate).toHaveBeenCalledOnce();
  const third = searchCopies(REQUEST);
  SilentWorker.made[1]?.answer(0);
  expect(await third).toEqual(PAGE);
});

test('a question that was answered in time ends no worker later', async () => {
  const { searchCopies, ANSWER_TIMEOUT_MS } = await openPage();
  const asked = searchCopies(REQUEST);
  SilentWorker.made[0]?.answer(0);
  expect(await asked).toEqual(PAGE);
  vi.advanceTimersByTime(2 * ANSWER_TIMEOUT_MS);
  expect(SilentWorker.made[0]?.terminate).not.toHaveBeenCalled();
  expect(SilentWorker.made).toHaveLength(1);
});
