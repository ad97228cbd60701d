import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRequestCache } from './request-cache.ts';

const MINUTE_MS = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createCache() {
  let recover = () => {};
  const client = createRequestCache({
    onSignedOut: () => {},
    onWritten: () => {},
    onRecovered: (listener) => {
      recover = listener;
    },
  });
  return { client, recover: () => recover() };
}

/** Shows a query on a screen. Its reads are answered by hand, in the order in which they began. */
function show({ client }: ReturnType<typeof createCache>, key: string) {
  const reads: (PromiseWithResolvers<string> & { signal: AbortSignal })[] = [];
  const observer = new QueryObserver(client, {
    queryKey: [key],
    queryFn: ({ signal }) => {
      const read = { ...Promise.withResolvers<string>(), signal };
      reads.push(read);
      return read.promise;
    },
  });
  const close = observer.subscribe(() => {});
  return { reads, close, result: () => observer.getCurrentResult() };
}

describe('when the server answers again', () => {
  test.each([true, false])('a read that hangs is sent again (with an older answer: %s)', async (has_older) => {
    const cache = createCache();
    if (has_older) cache.client.setQueryData(['board'], 'older', { updatedAt: Date.now() - 10 * MINUTE_MS });
    const { reads, result } = show(cache, 'board');
    await vi.advanceTimersByTimeAsync(2_000);
    cache.recover();
    expect(reads).toHaveLength(2);
    expect(reads[0]?.signal.aborted).toBe(true);
    reads[1]?.resolve('newer');
    await vi.advanceTimersByTimeAsync(0);
    expect(result()).toMatchObject({ data: 'newer', fetchStatus: 'idle', isError: false });
    reads[0]?.resolve('late');
    await vi.advanceTimersByTimeAsync(0);
    expect(result().data).toBe('newer');
  });

  test('a read that has just begun continues', async () => {
    const cache = createCache();
    const { reads } = show(cache, 'board');
    await vi.advanceTimersByTimeAsync(1_900);
    cache.recover();
    expect(reads).toHaveLength(1);
    expect(reads[0]?.signal.aborted).toBe(false);
  });

  test('a read of the outage that fails only then is sent again, once', async () => {
    const cache = createCache();
    const { reads, result } = show(cache, 'board');
    await vi.advanceTimersByTimeAsync(1_900);
    cache.recover();
    reads[0]?.reject(new Error('no answer'));
    await vi.advanceTimersByTimeAsync(0);
    expect(reads).toHaveLength(2);
    reads[1]?.reject(new Error('refused'));
    await vi.advanceTimersByTimeAsync(0);
    expect(reads).toHaveLength(2);
    expect(result().isError).toBe(true);
  });

  test('a read that failed is sent again, one that was answered is not, nor one that no screen shows', async () => {
    const cache = createCache();
    const [failed, answered, closed] = ['failed', 'answered', 'closed'].map((key) => show(cache, key));
    failed?.reads[0]?.reject(new Error('no answer'));
    answered?.reads[0]?.resolve('good');
    closed?.reads[0]?.reject(new Error('no answer'));
    await vi.advanceTimersByTimeAsync(3_000);
    closed?.close();
    expect(failed?.result().isError).toBe(true);
    cache.recover();
    expect([failed, answered, closed].map((one) => one?.reads.length)).toEqual([2, 1, 1]);
    failed?.reads[1]?.resolve('good');
    await vi.advanceTimersByTimeAsync(0);
    expect(failed?.result()).toMatchObject({ data: 'good', isError: false });
  });
});
