import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLive, type LiveDeps, type LiveMessage } from './live.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Hooks = Parameters<LiveDeps['read']>[0];

/** Two tabs of one browser: the first leads, and the test controls its stream. */
function browser() {
  const ears: ((message: LiveMessage) => void)[] = [];
  const streams: Hooks[] = [];
  const tabs = [0, 1].map((tab) =>
    createLive({
      channel: {
        post: (message) => ears[1 - tab]?.(message),
        listen: (ear) => {
          ears[tab] = ear;
        },
      },
      runAsLeader: async (work, signal) => (tab === 0 ? work(signal) : undefined),
      read: async (hooks) => {
        streams.push(hooks);
      },
    }),
  );
  const [first, second] = tabs;
  if (!first || !second) throw new Error('no tabs');
  const stream = () => {
    const hooks = streams.at(-1);
    if (!hooks) throw new Error('no tab leads');
    return hooks;
  };
  return { first, second, stream };
}

test('an opening ends once, after the news of the opened stream, and is under way before a user is followed', () => {
  const { first, stream } = browser();
  const order: unknown[] = [];
  first.subscribe(({ type }) => order.push(type));
  first.opening.subscribe(() => order.push(first.opening.isInProgress()));
  expect(first.opening.isInProgress()).toBe(true);
  first.follow('ana');
  stream().onOpen(false);
  expect(order).toEqual(['opened', false]);
  stream().onEnd();
  stream().onOpen(true);
  expect(order).toEqual(['opened', false, 'opened']);
});

test('a stream that could not be opened does not delay requests', () => {
  const { first, stream } = browser();
  first.follow('ana');
  stream().onEnd();
  expect(first.opening.isInProgress()).toBe(false);
});

test('a stream that stays silent delays requests for at most two seconds', () => {
  const { first } = browser();
  first.follow('ana');
  vi.advanceTimersByTime(1_999);
  expect(first.opening.isInProgress()).toBe(true);
  vi.advanceTimersByTime(1);
  expect(first.opening.isInProgress()).toBe(false);
});

test('a second tab waits for no stream if the first one has that of the same user', () => {
  const { first, second, stream } = browser();
  first.follow('ana');
  second.follow('ana');
  expect(second.opening.isInProgress()).toBe(true);
  stream().onOpen(false);
  expect(second.opening.isInProgress()).toBe(false);
  second.follow(null);
  second.follow('ben');
  expect(second.opening.isInProgress()).toBe(true);
  second.follow('ana');
  expect(second.opening.isInProgress()).toBe(false);
  stream().onEnd();
  second.follow('ben');
  second.follow('ana');
  expect(second.opening.isInProgress()).toBe(true);
});

test('the next user to sign in waits for a stream of their own', () => {
  const { first, stream } = browser();
  first.follow('ana');
  stream().onOpen(false);
  first.follow(null);
  first.follow('ben');
  expect(first.opening.isInProgress()).toBe(true);
  stream().onOpen(false);
  expect(first.opening.isInProgress()).toBe(false);
});
