import { beforeEach, describe, expect, test } from 'vitest';
import type { DrainResult } from './drain.ts';
import { createRunner, type RunnerDeps } from './runner.ts';
import { createSyncStatus, type SyncStatus } from './sync-status.ts';

interface Timer {
  delay_ms: number;
  run: () => void;
}

let timers: Timer[];
let statuses: SyncStatus[];
let broken: unknown[];
let drained: string[];

const after = (delay_ms: number, run: () => void) => {
  const timer = { delay_ms, run };
  timers.push(timer);
  return () => {
    timers = timers.filter((other) => other !== timer);
  };
};

beforeEach(() => {
  timers = [];
  statuses = [];
  broken = [];
  drained = [];
});

function runner(end: DrainResult | Error, deps: Partial<RunnerDeps> = {}) {
  return createRunner({
    schedule: after,
    lock: (work) => work(),
    userId: () => 'ana',
    isOnline: () => true,
    isEmpty: async () => false,
    onStatus: (status) => void statuses.push(status),
    onStorageError: (error) => void broken.push(error),
    drain: async (user_id, onBegin) => {
      drained.push(user_id);
      if (end instanceof Error) throw end;
      if (end.sent > 0 || end.outcome === 'failed') onBegin();
      return end;
    },
    ...deps,
  });
}

describe('when nothing may be sent', () => {
  test('without a signed-in user nothing is read and nothing reported', async () => {
    expect(await runner({ outcome: 'done', sent: 0, wait_ms: null }, { userId: () => null }).flush()).toBe(false);
    expect([drained, statuses, timers]).toEqual([[], [], []]);
  });

  test('without network it is no failure, and the next try is in a minute', async () => {
    expect(await runner({ outcome: 'done', sent: 0, wait_ms: null }, { isOnline: () => false }).flush()).toBe(false);
    expect([drained, statuses]).toEqual([[], []]);
    expect(timers.map((timer) => timer.delay_ms)).toEqual([60_000]);
  });

  test('an outbox that can not be read is reported, not swallowed', async () => {
    const error = new Error('no database');
    expect(await runner(error).flush()).toBe(false);
    expect(broken).toEqual([error]);
    expect(statuses).toEqual(['error']);
  });

  test('after a rejected session the next try is in a minute', async () => {
    expect(await runner({ outcome: 'signed_out', sent: 0 }).flush()).toBe(false);
    expect(statuses).toEqual(['idle']);
    expect(timers.map((timer) => timer.delay_ms)).toEqual([60_000]);
  });
});

test('a failure says so and is tried again after its wait [spec 4.sync.error]', async () => {
  const sut = runner({ outcome: 'failed', sent: 0, wait_ms: 4000 });
  expect(await sut.flush()).toBe(false);
  expect(statuses).toEqual(['syncing', 'error']);
  expect(timers.map((timer) => timer.delay_ms)).toEqual([4000]);
  timers[0]?.run();
  await sut.flush();
  expect(drained.length).toBeGreaterThan(1);
});

test('an empty queue says nothing; a sent one says success [spec 4.sync.syncing, 4.sync.success]', async () => {
  await runner({ outcome: 'done', sent: 0, wait_ms: null }).flush();
  expect(statuses).toEqual([]);
  await runner({ outcome: 'done', sent: 3, wait_ms: null }).flush();
  expect(statuses).toEqual(['syncing', 'success']);
});

test('a server that never answers is never taken for a success [spec 9.sync.fake-fallback]', () => {
  const status = createSyncStatus({ schedule: after }, () => void statuses.push(status.get()));
  const onStatus = (next: SyncStatus) => status.set(next);
  const drain = (_user_id: string, onBegin: () => void) => {
    onBegin();
    return new Promise<DrainResult>(() => {});
  };
  void runner({ outcome: 'done', sent: 0, wait_ms: null }, { drain, onStatus }).flush();
  expect(statuses).toEqual(['syncing']);
  for (const timer of timers) timer.run();
  expect(statuses).toEqual(['syncing', 'idle']);
});

test('kicks during a run make exactly one more run, and never two at once', async () => {
  let open = 0;
  let most = 0;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const sut = runner(
    { outcome: 'done', sent: 0, wait_ms: null },
    {
      drain: async (user_id) => {
        drained.push(user_id);
        open += 1;
        most = Math.max(most, open);
        await released;
        open -= 1;
        return { outcome: 'done', sent: 0, wait_ms: null };
      },
    },
  );
  const all = [sut.flush(), sut.flush(), sut.flush()];
  release();
  await Promise.all(all);
  expect(most).toBe(1);
  expect(drained).toHaveLength(2);
});

test('success is shown for 3 s and an error for 5 s, then idle again [spec 4.sync.success-idle, 4.sync.error-idle, 9.sync.success-reset, 9.sync.error-reset]', () => {
  const status = createSyncStatus({ schedule: after }, () => void statuses.push(status.get()));
  for (const [shown, delay_ms] of [
    ['success', 3000],
    ['error', 5000],
  ] as const) {
    status.set('syncing');
    status.set(shown);
    expect(timers.map((timer) => timer.delay_ms)).toEqual([delay_ms]);
    timers[0]?.run();
    expect(status.get()).toBe('idle');
    timers = [];
  }
  expect(statuses).toEqual(['syncing', 'success', 'idle', 'syncing', 'error', 'idle']);
});
