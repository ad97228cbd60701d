import { expect, test } from 'vitest';
import { runTurns } from '#test/unit/run-turns.ts';
import { ApiError } from '#web/shared/api/errors.ts';
import { createReadMarker } from './read-marker.ts';

const CHAT = { user_id: 'ana', chat_id: 'chat' };
const OTHER_CHAT = { user_id: 'ana', chat_id: 'other chat' };

/** A marker with its server and timers; `pass` runs the timers in the order of their time. */
function setUp(answers: (Error | 'ok')[] = []) {
  const sent: string[][] = [];
  const timers: { delay_ms: number; run: () => void }[] = [];
  const marker = createReadMarker({
    async send({ chat_id }, ids) {
      sent.push([chat_id, ...ids]);
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return 7;
    },
    schedule(delay_ms, run) {
      const timer = { delay_ms, run };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer) >>> 0, 1);
    },
  });
  async function pass(): Promise<number[]> {
    const due = timers.splice(0);
    for (const { run } of due) run();
    await runTurns(1);
    return due.map(({ delay_ms }) => delay_ms);
  }
  return { marker, sent, pass };
}

const ignore = () => {};
const noNetwork = () => new ApiError({ code: 'NETWORK_ERROR', status: 0 });
const notFound = () => new ApiError({ code: 'HTTP_ERROR', status: 404, is_from_our_server: true });

test('read marks that the server refuses are not sent again', async () => {
  const { marker, sent, pass } = setUp([notFound()]);
  marker.enqueue(CHAT, ['a'], ignore);
  await pass();
  expect([sent, await pass()]).toEqual([[['chat', 'a']], []]);
});

test("a gateway's own answer is no refusal: the read marks are sent again", async () => {
  const { marker, sent, pass } = setUp([new ApiError({ code: 'HTTP_ERROR', status: 404 })]);
  marker.enqueue(CHAT, ['a'], ignore);
  await pass();
  expect(await pass()).toEqual([2_000]);
  expect(sent).toEqual([
    ['chat', 'a'],
    ['chat', 'a'],
  ]);
});

test('without a network read marks are kept, with later ones, and sent when it comes back', async () => {
  const { marker, sent, pass } = setUp([noNetwork(), noNetwork()]);
  marker.enqueue(CHAT, ['a'], ignore);
  expect(await pass()).toEqual([300]);
  marker.enqueue(CHAT, ['b'], ignore);
  expect(await pass()).toEqual([2_000]);
  expect(await pass()).toEqual([4_000]);
  expect([sent.at(-1), await pass()]).toEqual([['chat', 'a', 'b'], []]);
});

test('read marks are sent as soon as the network is back', async () => {
  const { marker, sent, pass } = setUp([noNetwork()]);
  marker.enqueue(CHAT, ['a'], ignore);
  await pass();
  marker.retry();
  expect(sent).toEqual([
    ['chat', 'a'],
    ['chat', 'a'],
  ]);
});

test('read marks of one moment are sent together, each message once and each chat on its own', async () => {
  const { marker, sent, pass } = setUp();
  marker.enqueue(CHAT, ['a', 'b'], ignore);
  marker.enqueue(OTHER_CHAT, ['z'], ignore);
  marker.enqueue(CHAT, ['b', 'c'], ignore);
  marker.enqueue(CHAT, [], ignore);
  expect(await pass()).toEqual([300, 300]);
  expect(sent).toEqual([
    ['chat', 'a', 'b', 'c'],
    ['other chat', 'z'],
  ]);
});

test('the unread count of the answer is passed on', async () => {
  const { marker, pass } = setUp();
  const counts: number[] = [];
  marker.enqueue(CHAT, ['a'], (count) => counts.push(count));
  await pass();
  expect(counts).toEqual([7]);
});

test('read marks apply at once, also after a refusal, in the same set until it changes', async () => {
  const { marker, pass } = setUp([notFound()]);
  let changes = 0;
  const stop = marker.subscribe(() => {
    changes += 1;
  });
  marker.enqueue(CHAT, ['a'], ignore);
  const seen = marker.seenIn(CHAT);
  await pass();
  expect([[...seen], marker.seenIn(CHAT) === seen, marker.seenIn(OTHER_CHAT).size, changes]).toEqual([
    ['a'],
    true,
    0,
    1,
  ]);
  stop();
  marker.clear();
  expect([marker.seenIn(CHAT).size, changes]).toEqual([0, 1]);
});

test('never more than 100 at once', async () => {
  const { marker, sent, pass } = setUp();
  const ids = Array.from({ length: 230 }, (_, index) => String(index));
  marker.enqueue(CHAT, ids, ignore);
  while ((await pass()).length > 0);
  expect(sent.map((call) => call.length - 1)).toEqual([100, 100, 30]);
  expect(sent.flatMap(([, ...told]) => told)).toEqual(ids);
});
