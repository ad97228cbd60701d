import { expect, test } from 'vitest';
import type { News } from './news.ts';
import type { Push, PushOutcome } from './push-client.ts';
import { createPushQueue } from './push-queue.ts';

const SENT: PushOutcome = { outcome: 'sent' };
const LATER: PushOutcome = { outcome: 'later', after_ms: 0 };

const NEWS: News = {
  user_id: 'ada',
  kind: 'friends',
  subject: 'from bea',
  content: { kind: 'friend_request', name: 'Bea', at: 0 },
  ...{ other_id: null, message_id: null, request_id: null, activity: null },
};

function pushOf(id: string, user_id = id): Push {
  const subscription = { id, user_id, endpoint: 'https://push.example.com', p256dh: '', auth: '' };
  return { subscription, news: NEWS, payload: '{}', expires_at_ms: 0, urgency: 'normal', topic: 't' };
}

/** Opens a queue whose push service replies by `answer`, with hardly a pause between tries. */
function openQueue(answer: (id: string, nth: number) => PushOutcome | Promise<PushOutcome>, max_pushes = 1_000) {
  const sent: string[] = [];
  const gone: string[] = [];
  const logged: string[] = [];
  const ended = new Set<string>();
  const queue = createPushQueue({
    retry_after_ms: [1, 1],
    max_pushes,
    async send({ subscription: { id } }) {
      sent.push(id);
      return answer(id, sent.filter((one) => one === id).length);
    },
    isStillRelevant: async ({ subscription: { id } }) => !ended.has(id),
    onSubscriptionEnded: async ({ id }) => void gone.push(id),
    log: { warn: (fields, text) => void logged.push(JSON.stringify(fields) + text) },
  });
  return { queue, sent, gone, logged, ended };
}

test('a push that is never taken is tried three times in all', async () => {
  const { queue, sent } = openQueue((id) => (id === 'last' ? SENT : LATER));
  queue.add(pushOf('a'));
  await expect.poll(() => sent.length).toBe(3);
  queue.add(pushOf('last'));
  await queue.drain();
  expect(sent).toEqual(['a', 'a', 'a', 'last']);
});

test('a push is not tried again after a refusal, nor when it is no longer news', async () => {
  const { queue, sent, ended, gone, logged } = openQueue((id, nth) => {
    if (id === 'refused') return { outcome: 'refused', reason: '413' };
    if (id === 'ended') ended.add(id);
    return id === 'control' && nth === 3 ? SENT : LATER;
  });
  for (const id of ['refused', 'ended', 'control']) queue.add(pushOf(id));
  await expect.poll(() => sent.filter((id) => id === 'control').length).toBe(3);
  expect(sent.filter((id) => id !== 'control')).toEqual(['refused', 'ended']);
  expect(gone).toEqual([]);
  expect(logged.join()).not.toContain('push.example.com');
});

test('a service that demands too long a wait is not asked again', async () => {
  const { queue, sent } = openQueue((id) => (id === 'a' ? { outcome: 'later', after_ms: 3_600_000 } : LATER));
  queue.add(pushOf('a'));
  queue.add(pushOf('control'));
  await expect.poll(() => sent.filter((id) => id === 'control').length).toBe(3);
  expect(sent.filter((id) => id === 'a')).toHaveLength(1);
});

test('a push beyond the limit of the queue is dropped, and a push that fails does not hold up the others', async () => {
  const { queue, sent, gone } = openQueue((id) => {
    if (id === '0') throw new Error('broken');
    return { outcome: 'gone' };
  }, 3);
  for (const id of ['0', '1', '2', '3']) queue.add(pushOf(id));
  await queue.drain();
  expect(sent).toEqual(['0', '1', '2']);
  expect(gone).toEqual(['1', '2']);
  queue.add(pushOf('4'));
  await queue.drain();
  expect(sent).toContain('4');
});

test('at most 64 pushes are in flight, and the next one starts when one of them ends', async () => {
  const { promise, resolve } = Promise.withResolvers<PushOutcome>();
  const { queue, sent } = openQueue((id) => (id === '0' ? promise : new Promise<PushOutcome>(() => {})));
  for (let nth = 0; nth < 70; nth += 1) queue.add(pushOf(String(nth)));
  expect(sent).toHaveLength(64);
  resolve(SENT);
  await expect.poll(() => sent).toHaveLength(65);
});

test('endpoints of one user that never answer do not delay the pushes of other users', async () => {
  const { queue, sent } = openQueue((id) => (id === 'other' ? SENT : new Promise<PushOutcome>(() => {})));
  for (let nth = 0; nth < 100; nth += 1) queue.add(pushOf(`hangs ${nth}`, 'mallory'));
  queue.add(pushOf('other'));
  await expect.poll(() => sent).toEqual(['hangs 0', 'hangs 1', 'hangs 2', 'hangs 3', 'other']);
});

test('a user whose 50 pushes are over gets the next one', async () => {
  const { queue, sent } = openQueue(() => SENT);
  for (let nth = 0; nth < 60; nth += 1) queue.add(pushOf(String(nth), 'ada'));
  await expect.poll(() => sent).toHaveLength(50);
  queue.add(pushOf('next', 'ada'));
  await expect.poll(() => sent.at(-1)).toBe('next');
});

test('a closed queue sends nothing', async () => {
  const { queue, sent } = openQueue(() => LATER);
  queue.add(pushOf('a'));
  queue.close();
  queue.add(pushOf('b'));
  await queue.drain();
  expect(sent).toEqual(['a']);
});
