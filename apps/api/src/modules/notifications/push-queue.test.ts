import { expect, test } from 'vitest';
import type { News } from './news.ts';
import type { Push, PushOutcome } from './push-client.ts';
import { createPushQueue } from './push-queue.ts';

const SENT: PushOutcome = { outcome: 'sent' };
const LATER: PushOutcome = { outcome: 'later', after_ms: null };

const NEWS: News = {
  user_id: 'somebody',
  kind: 'friends',
  subject: 'from somebody',
  told: { kind: 'friend_request', name: 'Somebody', at: 0 },
  ...{ other_id: null, message_id: null, request_id: null, activity: null },
};

function pushOf(id: string, { user_id = id, origin = 'https://push.example.com' } = {}): Push {
  const subscription = { id, user_id, endpoint: origin, p256dh: '', auth: '' };
  return { subscription, origin, news: NEWS, payload: '{}', use_until: 0, urgency: 'normal', topic: 't' };
}

/** A queue whose push service answers as `answer` says, with hardly a pause between tries. */
function openQueue(answer: (id: string, nth: number) => PushOutcome | Promise<PushOutcome>, max_pushes?: number) {
  const sent: string[] = [];
  const gone: string[] = [];
  const logged: string[] = [];
  const ended = new Set<string>();
  const queue = createPushQueue({
    retry_after_ms: [1, 1, 1],
    ...(max_pushes === undefined ? {} : { max_pushes }),
    async send({ subscription: { id } }) {
      sent.push(id);
      return answer(id, sent.filter((one) => one === id).length);
    },
    hold_ms: 1,
    isNews: async ({ subscription: { id } }) => !ended.has(id),
    onGone: async ({ id }) => void gone.push(id),
    log: { warn: (fields, text) => void logged.push(JSON.stringify(fields) + text) },
  });
  return { queue, sent, gone, logged, ended };
}

test('a push that is never taken is tried four times in all', async () => {
  const { queue, sent } = openQueue((id) => (id === 'last' ? SENT : LATER));
  queue.add(pushOf('a'));
  await expect.poll(() => sent.length).toBe(4);
  queue.add(pushOf('last'));
  await queue.drain();
  expect(sent).toEqual(['a', 'a', 'a', 'a', 'last']);
});

test('a push is not tried again after a refusal, nor when it is no news any more', async () => {
  const { queue, sent, ended, logged } = openQueue((id, nth) => {
    if (id === 'refused') return { outcome: 'refused', reason: '413', for_good: true };
    if (id === 'ended') ended.add(id);
    return id === 'control' && nth === 4 ? SENT : LATER;
  });
  for (const id of ['refused', 'ended', 'control']) queue.add(pushOf(id));
  await expect.poll(() => sent.filter((id) => id === 'control').length).toBe(4);
  expect(sent.filter((id) => id !== 'control')).toEqual(['refused', 'ended']);
  expect(logged.join()).not.toContain('push.example.com');
});

test('a service that asks for too much time is not asked again', async () => {
  const { queue, sent } = openQueue((id) => (id === 'a' ? { outcome: 'later', after_ms: 3_600_000 } : LATER));
  queue.add(pushOf('a'));
  queue.add(pushOf('control'));
  await expect.poll(() => sent.filter((id) => id === 'control').length).toBe(4);
  expect(sent.filter((id) => id === 'a')).toHaveLength(1);
});

test('what finds no room is dropped, and one that fails does not hold up the others', async () => {
  const { queue, sent, gone } = openQueue((id) => {
    if (id === '0') throw new Error('broken');
    return { outcome: 'gone' };
  }, 3);
  for (const id of ['0', '1', '2', '3']) queue.add(pushOf(id));
  await queue.drain();
  expect(sent).toEqual(['0', '1', '2']);
  expect(gone).toEqual(['1', '2']);
});

const NEVER = new Promise<PushOutcome>(() => {});

test('an origin that hangs holds up nobody else', async () => {
  const { queue, sent } = openQueue((id) => (id.startsWith('hangs') ? NEVER : SENT));
  for (let nth = 0; nth < 100; nth += 1) queue.add(pushOf(`hangs ${nth}`, { origin: 'https://hangs.example.com' }));
  queue.add(pushOf('other'));
  await expect.poll(() => sent).toContain('other');
  expect(sent.filter((id) => id !== 'other')).toHaveLength(8);
});

test('a user whose browsers all hang holds up nobody else, at the same origin neither', async () => {
  const { queue, sent } = openQueue((id) => (id.startsWith('hangs') ? NEVER : SENT));
  for (let nth = 0; nth < 100; nth += 1) queue.add(pushOf(`hangs ${nth}`, { user_id: 'one' }));
  queue.add(pushOf('other'));
  await expect.poll(() => sent).toContain('other');
  expect(sent.filter((id) => id !== 'other')).toHaveLength(4);
});

test('an origin that did not answer in time is left alone for a while, and then tried again', async () => {
  const { queue, sent } = openQueue((id, nth) => (id === 'a' && nth === 1 ? { outcome: 'hung' } : SENT));
  queue.add(pushOf('a'));
  await queue.drain();
  queue.add(pushOf('b'));
  expect(sent).toEqual(['a']);
  await expect.poll(() => sent.toSorted()).toEqual(['a', 'a', 'b']);
});

test('a subscription that is refused ten times in a row is dropped, where others of its service are taken', async () => {
  const { queue, sent, gone } = openQueue((id) =>
    id.startsWith('refused') ? { outcome: 'refused', reason: '403', for_good: true } : SENT,
  );
  const lonely = { origin: 'https://lonely.example.com' };
  for (let nth = 1; nth <= 10; nth += 1) {
    expect(gone).toEqual([]);
    for (const push of [pushOf('refused'), pushOf('refused, and all others too', lonely), pushOf('taken')]) {
      queue.add(push);
      await queue.drain();
    }
  }
  expect(sent).toHaveLength(30);
  expect(gone).toEqual(['refused']);
});

test('a closed queue sends nothing', async () => {
  const { queue, sent } = openQueue(() => LATER);
  queue.add(pushOf('a'));
  queue.close();
  queue.add(pushOf('b'));
  await queue.drain();
  expect(sent).toEqual(['a']);
});
