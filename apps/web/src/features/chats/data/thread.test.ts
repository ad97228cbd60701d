import fc from 'fast-check';
import { expect, test } from 'vitest';
import { messageOf, messagesOf } from '#test/unit/fake-chat.ts';
import { NORA } from '#test/unit/fake-server.ts';
import {
  addMessage,
  addOlderPage,
  addPage,
  applyReadReceipt,
  eraseOther,
  keepNewest,
  mergeMessages,
  NO_MESSAGES,
  nextPageQuery,
  resetThread,
  restartFrom,
  type Thread,
} from './thread.ts';

const READ_AT = '2026-11-21T11:00:00.000Z';
const thread = (first: number, last: number): Thread => ({
  ...NO_MESSAGES,
  messages: messagesOf(first, last),
  has_older: first > 1,
  was_synced: true,
});
const seqs = (one: Pick<Thread, 'messages'> | null) => one?.messages.map(({ seq }) => seq);
const pageFor = (requested_by: Thread, first: number, last: number) => ({
  query: nextPageQuery(requested_by, 0),
  messages: messagesOf(first, last),
  requested_by,
});

test('a message is added where it follows; where others are missing before it, a sync is needed', () => {
  expect(seqs(addMessage(thread(10, 12), messageOf(13)))).toEqual([10, 11, 12, 13]);
  expect(addMessage(thread(10, 12), messageOf(14))).toBeNull();
  expect(addMessage({ ...thread(1, 0), has_older: false }, messageOf(2))).toBeNull();
  expect(seqs(addMessage(NO_MESSAGES, messageOf(9)))).toEqual([9]);
});

test('a message from before the known ones is left to its page, unless it is the one right before them', () => {
  const known = thread(10, 12);
  expect(addMessage(known, messageOf(3))).toBe(known);
  expect(seqs(addMessage(known, messageOf(9)))).toEqual([9, 10, 11, 12]);
});

test('a message with the number of another one shows that the server has another history: nothing of the old one stays', () => {
  const other = messageOf(90, { id: '99999999-0000-4000-8000-000000000090' });
  expect(addMessage(thread(71, 120), other)).toMatchObject({ messages: [other], has_older: true, was_synced: false });
});

test('in whatever order and however often messages come, each is there once, and none is missing between', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }), fc.nat(12), (arrivals, size) => {
      let known: Thread = { ...NO_MESSAGES, messages: messagesOf(1, size) };
      for (const seq of arrivals) known = addMessage(known, messageOf(seq)) ?? known;
      const first = known.messages[0]?.seq ?? 0;
      expect(seqs(known)).toEqual(known.messages.map((_, index) => first + index));
    }),
  );
});

test('a sync begins with the newest page, and continues from known messages, which it reads again', () => {
  expect(nextPageQuery(NO_MESSAGES, 0)).toEqual({ offset: 0, limit: 50 });
  expect(nextPageQuery(thread(1, 3), 0)).toEqual({ after: 0, limit: 100 });
  expect(nextPageQuery(thread(71, 120), 0)).toEqual({ after: 70, limit: 100 });
  expect(nextPageQuery(thread(21, 170), 1)).toEqual({ after: 170, limit: 100 });
  // Older ones may have been read on another device.
  const read = (one: Thread, until: number) =>
    applyReadReceipt(
      one,
      messagesOf(1, until).map(({ id }) => id),
      READ_AT,
    );
  expect(nextPageQuery(read(thread(1, 200), 120), 0)).toEqual({ after: 120, limit: 100 });
  expect(nextPageQuery(read(thread(1, 200), 20), 0)).toEqual({ after: 101, limit: 100 });
  expect(nextPageQuery(read(thread(1, 200), 200), 0)).toEqual({ after: 150, limit: 100 });
  // So few would leave the screen empty; so many pages would take too long.
  expect(nextPageQuery(thread(118, 120), 0)).toEqual({ offset: 0, limit: 50 });
  expect(nextPageQuery(thread(21, 420), 3)).toEqual({ offset: 0, limit: 50 });
});

test('a full page is followed by another one', () => {
  const before = thread(71, 120);
  const first = addPage(before, pageFor(before, 71, 170));
  expect([seqs(first.thread)?.at(-1), first.is_last]).toEqual([170, false]);
  const last = addPage(before, pageFor(before, 71, 150));
  expect([seqs(last.thread)?.at(-1), last.is_last, last.thread.was_synced]).toEqual([150, true, true]);
});

test('messages that arrived after the request stay; those that the server has lost go', () => {
  const before = thread(71, 120);
  const extended = addMessage(before, messageOf(121)) ?? before;
  expect(seqs(addPage(extended, pageFor(before, 71, 118)).thread)?.at(-1)).toBe(118);
  expect(seqs(addPage(extended, pageFor(before, 71, 120)).thread)?.at(-1)).toBe(121);
});

test('where the server has another history nothing known stays, and the newest page is next', () => {
  const before = thread(21, 120);
  const other = messagesOf(71, 90).map((message) => ({ ...message, id: message.id.replace('8000', '9000') }));
  const { thread: emptied, is_last } = addPage(before, { ...pageFor(before, 0, 0), messages: other });
  expect([emptied.messages.some(({ seq }) => seq <= 70), is_last]).toEqual([false, false]);
});

test('a page that was requested before messages were removed adds nothing', () => {
  const before = thread(71, 120);
  const removed = resetThread(before);
  expect(addPage(removed, pageFor(before, 71, 120))).toEqual({ thread: removed, is_last: false });
  const older = { query: { before: 71, limit: 50 }, messages: messagesOf(21, 70), requested_by: before };
  expect(addOlderPage(removed, older)).toBe(removed);
  expect(seqs(addOlderPage(before, older))).toEqual(seqs(thread(21, 120)));
});

test('the newest page keeps older messages only where none is missing between', () => {
  const newest = (first: number) => ({ query: { offset: 0, limit: 50 }, messages: messagesOf(first, first + 49) });
  const known = thread(21, 100);
  expect(seqs(addPage(known, { ...newest(101), requested_by: known }).thread)).toEqual(seqs(thread(21, 150)));
  expect(seqs(addPage(known, { ...newest(102), requested_by: known }).thread)).toEqual(seqs(thread(102, 151)));
});

test('messages of a server without seq are sorted by time, equal times always the same way', () => {
  const created_at = '2026-11-21T10:00:00.000Z';
  const [a, b] = [messageOf(1, { seq: 0, created_at }), messageOf(2, { seq: 0, created_at })];
  const later = messageOf(3, { seq: 0, created_at: '2026-11-21T10:00:01.000Z' });
  expect(mergeMessages([later], [b, a])).toEqual([a, b, later]);
  expect(mergeMessages([a], [later, b])).toEqual([a, b, later]);
});

test('where a server begins to number, each message is there once, by its number', () => {
  const unnumbered = [1, 2].map((seq) => messageOf(seq, { seq: 0, read_at: READ_AT }));
  expect(mergeMessages(unnumbered, messagesOf(1, 3))).toEqual([
    messageOf(1, { read_at: READ_AT }),
    messageOf(2, { read_at: READ_AT }),
    messageOf(3),
  ]);
});

test('a read message stays read, also where an older answer says otherwise', () => {
  const read = applyReadReceipt(thread(1, 3), [messageOf(2).id], READ_AT);
  const merged = mergeMessages(read.messages, messagesOf(1, 3));
  expect(merged.map(({ read_at }) => read_at)).toEqual([null, READ_AT, null]);
});

test('a message that was read before it came is read when it comes, whatever brings it', () => {
  const told = applyReadReceipt(
    thread(71, 120),
    [70, 121, 122].map((seq) => messageOf(seq).id),
    READ_AT,
  );
  const readOf = (one: Thread | null, seq: number) => one?.messages.find((message) => message.seq === seq)?.read_at;
  expect(readOf(addMessage(told, messageOf(121)), 121)).toBe(READ_AT);
  expect(readOf(addPage(told, pageFor(told, 71, 122)).thread, 122)).toBe(READ_AT);
  const older = { query: { before: 71, limit: 50 }, messages: messagesOf(21, 70), requested_by: told };
  const extended = addOlderPage(told, older);
  expect([readOf(extended, 70), extended.early_reads.length]).toEqual([READ_AT, 2]);
  const many = Array.from({ length: 700 }, (_, index) => messageOf(200 + index).id);
  expect(applyReadReceipt(told, many, READ_AT).early_reads.map(({ id }) => id)).toEqual(many.slice(-500));
});

test('a change without effect returns the same thread and the same messages', () => {
  const known = applyReadReceipt(thread(1, 2), [messageOf(1).id], READ_AT);
  expect(applyReadReceipt(known, [messageOf(1).id], '2026-11-21T12:00:00.000Z')).toBe(known);
  expect(addMessage(known, messageOf(2))).toBe(known);
  const erased = eraseOther(known, NORA.id);
  expect(eraseOther(erased, NORA.id)).toBe(erased);
  expect(keepNewest(known)).toBe(known);
  const synced = addPage(known, pageFor(known, 1, 2)).thread.messages;
  expect(synced.every((message, index) => message === known.messages[index])).toBe(true);
});

test('the newest 100 messages are kept, or the newest one alone where the others cannot be had', () => {
  expect(seqs(keepNewest(thread(1, 250)))).toEqual(seqs(thread(151, 250)));
  expect(keepNewest(thread(1, 250)).has_older).toBe(true);
  expect(restartFrom(thread(1, 3), messageOf(9))).toMatchObject({ messages: [messageOf(9)], was_synced: false });
});
