import type { FastifyRequest } from 'fastify';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LOAD_LIMITS } from './load-shedding.ts';
import { createRequestsInWork } from './requests-in-work.ts';

const LIMITS = LOAD_LIMITS;
const LIMIT_MS = LIMITS.ordinary_ms;

let now_ms = 0;
beforeEach(() => {
  now_ms = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now_ms);
});
afterEach(() => vi.restoreAllMocks());

const requestOf = (user_id?: string) => ({ ...(user_id && { session: { user_id } }) }) as unknown as FastifyRequest;

/** A node that answers one request each ms, the oldest first, is asked so often. Returns how long each answer took. */
function answer({ per_ms, duration_ms }: { per_ms: number; duration_ms: number }) {
  const work = createRequestsInWork(LIMITS);
  const admitted: { request: FastifyRequest; at: number }[] = [];
  const times_ms: number[] = [];
  let refused = 0;
  for (const end = now_ms + duration_ms; now_ms < end; now_ms += 1) {
    for (let nth = 0; nth < per_ms; nth += 1) {
      if (work.isOverloaded(LIMIT_MS)) {
        refused += 1;
        continue;
      }
      const request = requestOf();
      admitted.push({ request, at: now_ms });
      work.begin(request, false);
    }
    const first = admitted.shift();
    if (!first) continue;
    work.end(first.request);
    times_ms.push(now_ms - first.at);
  }
  return { times_ms, refused };
}

describe('at twice, four and ten times what a node can do', () => {
  test.each([2, 4, 10])('%i times: answers take hardly longer than the limit, and none is idle time', (per_ms) => {
    const { times_ms, refused } = answer({ per_ms, duration_ms: 20_000 });
    expect(times_ms.length).toBeGreaterThan(19_900);
    expect(refused).toBeGreaterThan((per_ms - 1.1) * 20_000);
    // The first are admitted before it shows that they are too many.
    const [first, later] = [times_ms.slice(0, 2_000), times_ms.slice(2_000)];
    expect(Math.max(...first)).toBeLessThan(LIMIT_MS * (per_ms + 1));
    expect(Math.max(...later)).toBeLessThan(LIMIT_MS * 1.5);
  });
});

test('as many requests as a node can do are all admitted, also in bursts', () => {
  expect(answer({ per_ms: 1, duration_ms: 5_000 }).refused).toBe(0);
  const work = createRequestsInWork(LIMITS);
  for (let nth = 0; nth < 200; nth += 1) {
    expect(work.isOverloaded(LIMIT_MS)).toBe(false);
    work.begin(requestOf(), false);
  }
});

test('an account at its limit has too many requests; other accounts do not', () => {
  const work = createRequestsInWork(LIMITS);
  const of_ada = Array.from({ length: LIMITS.requests_of_user }, () => requestOf('ada'));
  for (const request of of_ada) {
    expect(work.hasTooManyOf(requestOf('ada'))).toBe(false);
    work.begin(request, false);
  }
  now_ms += 10_000;
  expect(work.hasTooManyOf(requestOf('ada'))).toBe(true);
  expect([work.hasTooManyOf(requestOf('bea')), work.hasTooManyOf(requestOf())]).toEqual([false, false]);
  expect(work.isOverloaded(LIMIT_MS)).toBe(false);
  for (const request of of_ada) work.end(request);
  expect([work.hasTooManyOf(requestOf('ada')), work.size()]).toEqual([false, 0]);
});

test('ops of an account wait for each other, which is no load: only its oldest counts, from its turn on', () => {
  const work = createRequestsInWork({ ...LIMITS, requests: 2 });
  const [ada, bea] = ['ada', 'bea'].map((name) => Array.from({ length: 15 }, () => requestOf(name)));
  for (const request of [...(ada ?? []), ...(bea ?? []).slice(0, 1)]) work.begin(request, true);
  expect(work.size()).toBe(2);
  now_ms += LIMIT_MS - 1;
  for (const request of ada?.slice(0, 14) ?? []) work.end(request);
  now_ms += 1;
  // The last of Ada's has waited as long as Bea's, but has had its turn for a moment only.
  expect([work.size(), work.isOverloaded(LIMIT_MS)]).toEqual([2, false]);
  now_ms += LIMIT_MS;
  expect(work.isOverloaded(LIMIT_MS)).toBe(true);
});

test('reads of an account run side by side: each counts, also beside its ops', () => {
  const work = createRequestsInWork({ ...LIMITS, requests: 4 });
  for (const has_ops of [true, true, false, false, false]) work.begin(requestOf('ada'), has_ops);
  expect(work.size()).toBe(4);
  now_ms += LIMIT_MS;
  expect(work.isOverloaded(LIMIT_MS)).toBe(true);
});

test('ops that hang leave together with those behind them', () => {
  const work = createRequestsInWork(LIMITS);
  for (let nth = 0; nth < LIMITS.requests_of_user; nth += 1) work.begin(requestOf('ada'), true);
  now_ms += 15_000;
  for (let nth = 0; nth < LIMITS.requests; nth += 1) work.begin(requestOf(), false);
  work.isOverloaded(LIMIT_MS);
  expect([work.size(), work.hasTooManyOf(requestOf('ada'))]).toEqual([LIMITS.requests, false]);
});
