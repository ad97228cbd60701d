import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createConcurrencyLimit } from './concurrency-limit.ts';
import { AppError } from './errors.ts';

const BUSY = { code: 'unavailable', status: 503, retry_after_s: 2 };

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function createWork() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    named: (name: string) => () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    },
    end: (name: string) => ends.get(name)?.(),
  };
}

const toRefusal = () => new AppError('unavailable', 'Too many', { retry_after_s: 2 });
const LIMITS = { max_running: 1, max_waiting: 2, max_wait_ms: 2000, toRefusal };

describe('a concurrency limit', () => {
  it('refuses a caller when too many wait already', async () => {
    const [limitConcurrency, work] = [createConcurrencyLimit(LIMITS), createWork()];
    const first = [
      limitConcurrency(work.named('a')),
      limitConcurrency(work.named('b')),
      limitConcurrency(work.named('c')),
    ];
    await expect(limitConcurrency(work.named('d'))).rejects.toMatchObject(BUSY);
    for (const name of ['a', 'b', 'c']) {
      await vi.waitFor(() => expect(work.started).toContain(name));
      work.end(name);
    }
    expect(await Promise.all(first)).toEqual(['a', 'b', 'c']);
  });

  it('refuses a caller who has waited for two seconds, and never runs their work', async () => {
    const [limitConcurrency, work] = [createConcurrencyLimit(LIMITS), createWork()];
    const first = limitConcurrency(work.named('a'));
    const second = expect(limitConcurrency(work.named('b'))).rejects.toMatchObject(BUSY);
    await vi.advanceTimersByTimeAsync(2000);
    await second;
    work.end('a');
    await first;
    const third = limitConcurrency(work.named('c'));
    work.end('c');
    expect(await third).toBe('c');
    expect(work.started).toEqual(['a', 'c']);
  });

  it('skips work of a caller who has gone', async () => {
    const [limitConcurrency, work] = [createConcurrencyLimit(LIMITS), createWork()];
    const first = limitConcurrency(work.named('a'));
    const gone = expect(limitConcurrency(work.named('b'), () => false)).rejects.toMatchObject(BUSY);
    const third = limitConcurrency(work.named('c'));
    work.end('a');
    await Promise.all([first, gone]);
    await vi.waitFor(() => expect(work.started).toEqual(['a', 'c']));
    work.end('c');
    expect(await third).toBe('c');
  });

  it('hands the turn over when work fails', async () => {
    const limitConcurrency = createConcurrencyLimit(LIMITS);
    const failed = expect(limitConcurrency(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await limitConcurrency(async () => 'next')).toBe('next');
    await failed;
    expect(await limitConcurrency(async () => 'again')).toBe('again');
  });
});
