import { expect, test } from 'vitest';
import { createProbe } from './probe.ts';
import { createReachability } from './reachability.ts';

/** A server behind a captive portal until `opens_at`; `hidden_until`: the page is hidden until then. */
async function probeUntil({ opens_at, hidden_until = 0 }: { opens_at: number; hidden_until?: number }) {
  const reachability = createReachability();
  reachability.set(false);
  let now = 0;
  const asked: number[] = [];
  let reached_at = Number.NaN;
  await createProbe({
    reachability,
    checkServer: async () => {
      asked.push(now);
      return now >= opens_at;
    },
    isVisible: () => now >= hidden_until,
    wait: async (delay_ms) => {
      now += delay_ms;
    },
    monotonicNow: () => now,
    onReached: () => {
      reached_at = now;
    },
  })();
  return { asked, reached_at, is_reached: reachability.isReached() };
}

test('a user who has signed in to the network is served within two seconds', async () => {
  const { reached_at, is_reached } = await probeUntil({ opens_at: 20_000 });
  expect(is_reached).toBe(true);
  expect(reached_at - 20_000).toBeLessThan(2_000);
});

test('a server that stays unreachable is probed less often', async () => {
  const { asked } = await probeUntil({ opens_at: 3_600_000 });
  expect(asked.length).toBeLessThan(600);
});

test('no request is sent while the page is hidden', async () => {
  const { asked } = await probeUntil({ opens_at: 30_000, hidden_until: 60_000 });
  expect(asked).toEqual([60_000]);
});

test('a call that learns the answer first ends it, and the answer is reported once', async () => {
  const reachability = createReachability();
  reachability.set(false);
  let is_told = false;
  await createProbe({
    reachability,
    checkServer: async () => true,
    isVisible: () => true,
    wait: async () => reachability.set(true),
    monotonicNow: () => 0,
    onReached: () => {
      is_told = true;
    },
  })();
  expect(is_told).toBe(false);
});

test('a server that answers this call and fails another is found less often each time, until it has settled', async () => {
  const reachability = createReachability();
  let now = 0;
  const probe = createProbe({
    reachability,
    checkServer: async () => true,
    isVisible: () => true,
    wait: async (delay_ms) => {
      now += delay_ms;
    },
    monotonicNow: () => now,
    onReached: () => {},
  });
  const timeToFind = async () => {
    const lost_at = now;
    reachability.set(false);
    await probe();
    return now - lost_at;
  };
  const times: number[] = [];
  for (let loss = 0; loss < 8; loss += 1) times.push(await timeToFind());
  expect(times).toEqual([1_500, 3_000, 6_000, 12_000, 24_000, 48_000, 48_000, 48_000]);
  now += 60_000;
  expect(await timeToFind()).toBe(1_500);
});
