import fc from 'fast-check';
import { expect, test } from 'vitest';
import { messageOf, messagesOf } from '#test/unit/fake-chat.ts';
import { EVE, NORA } from '#test/unit/fake-server.ts';
import {
  addMessage,
  completeUpTo,
  filterUnread,
  hasGap,
  mergeMessages,
  NO_MESSAGES,
  type Thread,
  withRead,
} from './thread.ts';

const thread = (first: number, last: number): Thread => ({
  messages: messagesOf(first, last),
  has_older: first > 1,
  is_loaded: true,
});
const seqs = ({ messages }: Pick<Thread, 'messages'>) => messages.map(({ seq }) => seq);

test('a message from before the known ones is left to its page, so that nothing is missing between', () => {
  expect(seqs(addMessage(thread(10, 12), messageOf(3)))).toEqual([10, 11, 12]);
});

test('what is missing is seen as long as it is missing', () => {
  const holed = addMessage(thread(5, 7), messageOf(9));
  expect([seqs(holed), hasGap(holed), completeUpTo(holed)]).toEqual([[5, 6, 7, 9], true, 7]);
  const filled = addMessage(holed, messageOf(8));
  expect([seqs(filled), hasGap(filled), completeUpTo(filled)]).toEqual([[5, 6, 7, 8, 9], false, 9]);
});

test('of what was only told live nothing is known for certain', () => {
  const told = addMessage(NO_MESSAGES, messageOf(9));
  expect([seqs(told), hasGap(told), completeUpTo(told)]).toEqual([[9], false, 0]);
});

test('in whatever order and however often messages come, each is there once, in the order of the chat', () => {
  const arrivals = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 });
  fc.assert(
    fc.property(arrivals, fc.nat(12), (numbers, size) => {
      let known: Thread = { ...NO_MESSAGES, messages: messagesOf(1, size) };
      for (const number of numbers) known = addMessage(known, messageOf(number));
      expect(new Set(seqs(known))).toEqual(new Set([...seqs({ messages: messagesOf(1, size) }), ...seqs(known)]));
      expect(seqs(known)).toEqual([...new Set(seqs(known))].sort((a, b) => a - b));
    }),
  );
});

test('messages of a server that does not count stand by time, equal times always the same way', () => {
  const created_at = '2026-11-21T10:00:00.000Z';
  const [a, b] = [messageOf(1, { seq: 0, created_at }), messageOf(2, { seq: 0, created_at })];
  const later = messageOf(3, { seq: 0, created_at: '2026-11-21T10:00:01.000Z' });
  expect(mergeMessages([later], [b, a])).toEqual([a, b, later]);
  expect(mergeMessages([a], [later, b])).toEqual([a, b, later]);
});

test('what was read stays read, also where an older answer does not know of it', () => {
  const read = withRead(thread(1, 3), [messageOf(2).id], '2026-11-21T11:00:00.000Z');
  const merged = mergeMessages(read.messages, messagesOf(1, 3));
  expect(merged.map(({ read_at }) => read_at)).toEqual([null, '2026-11-21T11:00:00.000Z', null]);
});

test('noting what is known or unknown changes nothing at all', () => {
  const known = withRead(thread(1, 2), [messageOf(1).id], '2026-11-21T11:00:00.000Z');
  expect(withRead(known, [messageOf(1).id, messageOf(7).id], '2026-11-21T12:00:00.000Z')).toBe(known);
});

test('mine and what was read are not marked again; what only this device remembers is', () => {
  const mine = messageOf(1, { sender_id: NORA.id });
  const read = messageOf(2, { read_at: '2026-11-21T11:00:00.000Z' });
  const unread = messageOf(3, { sender_id: EVE.id });
  const remembered = messageOf(9);
  const ids = [mine, read, unread, remembered].map(({ id }) => id);
  const known = { ...NO_MESSAGES, messages: [mine, read, unread] };
  expect(filterUnread(known, ids, NORA.id)).toEqual([unread.id, remembered.id]);
});
