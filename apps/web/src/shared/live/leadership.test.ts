import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runAsLeader } from './leadership.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Tabs of one browser that want the same lock; a sleeping tab keeps its lock and sends no heartbeat. */
function createBrowser() {
  interface Request {
    start: () => void;
    rob: () => void;
  }
  const ears = new Set<() => void>();
  let queue: Request[] = [];
  let holder: Request | undefined;
  const serve = () => {
    if (holder) return;
    holder = queue.shift();
    holder?.start();
  };
  const request = (options: { signal?: AbortSignal; steal?: boolean }, run: () => Promise<void>) =>
    new Promise<void>((resolve, reject) => {
      const asked: Request = {
        start: () =>
          void run().then(() => {
            if (holder === asked) holder = undefined;
            resolve();
            serve();
          }, reject),
        rob: () => reject(new DOMException('stolen', 'AbortError')),
      };
      options.signal?.addEventListener('abort', () => {
        if (!queue.includes(asked)) return;
        queue = queue.filter((one) => one !== asked);
        reject(new DOMException('aborted', 'AbortError'));
      });
      if (options.steal) {
        holder?.rob();
        holder = asked;
        asked.start();
        return;
      }
      queue.push(asked);
      serve();
    });
  const leaders: string[] = [];
  function open(name: string, { is_visible = true } = {}) {
    const tab = { is_asleep: false, is_visible, stop: new AbortController(), ended: Promise.resolve() };
    tab.ended = runAsLeader(
      {
        request,
        sendHeartbeat: () => {
          if (!tab.is_asleep) for (const ear of ears) ear();
        },
        onHeartbeat(listener) {
          ears.add(listener);
          return () => ears.delete(listener);
        },
        isVisible: () => tab.is_visible,
      },
      (signal) =>
        new Promise((resolve) => {
          leaders.push(name);
          signal.addEventListener('abort', () => {
            leaders.splice(leaders.indexOf(name), 1);
            resolve();
          });
        }),
      tab.stop.signal,
    );
    return tab;
  }
  return { open, leaders };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('one tab leads as long as it sends heartbeats, and the next one after it', async () => {
  const { open, leaders } = createBrowser();
  const [first] = [open('first', { is_visible: false }), open('second')];
  await pass(60_000);
  expect(leaders).toEqual(['first']);
  first.stop.abort();
  await first.ended;
  await pass(0);
  expect(leaders).toEqual(['second']);
});

test('a visible tab preempts a leader without heartbeats, which queues again', async () => {
  const { open, leaders } = createBrowser();
  const [first, second] = [open('first'), open('second')];
  await pass(10_000);
  first.is_asleep = true;
  await pass(3_000);
  expect(leaders).toEqual(['first']);
  await pass(5_000);
  expect(leaders).toEqual(['second']);
  first.is_asleep = false;
  await pass(60_000);
  expect(leaders).toEqual(['second']);
  second.stop.abort();
  await pass(0);
  expect(leaders).toEqual(['first']);
});

test('a hidden tab waits, and preempts no leader', async () => {
  const { open, leaders } = createBrowser();
  const first = open('first');
  const second = open('second', { is_visible: false });
  first.is_asleep = true;
  await pass(600_000);
  expect(leaders).toEqual(['first']);
  second.is_visible = true;
  await pass(8_000);
  expect(leaders).toEqual(['second']);
});

test('a refused lock is thrown, and not requested again', async () => {
  const request = vi.fn(() => Promise.reject(new DOMException('no', 'SecurityError')));
  const deps = { request, sendHeartbeat() {}, onHeartbeat: () => () => {}, isVisible: () => true };
  await expect(runAsLeader(deps, async () => {}, new AbortController().signal)).rejects.toThrow('no');
  expect(request).toHaveBeenCalledOnce();
});
