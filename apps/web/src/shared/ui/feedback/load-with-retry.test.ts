import { expect, test, vi } from 'vitest';
import { loadWithRetry } from './load-with-retry.ts';

const failing = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));

test('a failed load of code is retried at every opportunity until it succeeds', async () => {
  const load = vi.fn<() => Promise<string>>().mockImplementationOnce(failing).mockImplementationOnce(failing);
  load.mockResolvedValue('code');
  const wait = vi.fn(() => Promise.resolve());
  const { signal } = new AbortController();
  expect(await loadWithRetry({ load, wait }, signal)).toBe('code');
  expect([load.mock.calls.length, wait.mock.calls]).toEqual([
    3,
    [
      [60_000, signal],
      [60_000, signal],
    ],
  ]);
});

test('a cancelled load never resolves for its caller, whether it arrives or not', async () => {
  const gone = new AbortController();
  const load = vi.fn(failing);
  const wait = async () => gone.abort();
  expect(await loadWithRetry({ load, wait }, gone.signal)).toBeNull();
  expect(load).toHaveBeenCalledOnce();

  const later = new AbortController();
  const coming = async () => {
    later.abort();
    return 'code';
  };
  expect(await loadWithRetry({ load: coming, wait }, later.signal)).toBeNull();
});
