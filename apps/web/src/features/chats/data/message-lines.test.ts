import { expect, test } from 'vitest';
import { CHAT_ID, messageOf, messagesOf } from '#test/unit/fake-chat.ts';
import { NORA } from '#test/unit/fake-server.ts';
import type { QueuedMessage } from '#web/shared/outbox/store/queued-message.ts';
import { messageLines } from './message-lines.ts';

const READ_AT = '2026-11-21T11:00:00.000Z';
const ME = { my_id: NORA.id, my_name: NORA.name, online: true, seen: new Set<string>() };

function waiting(client_id: string, change: Partial<QueuedMessage> = {}): QueuedMessage {
  const about = {
    client_id,
    user_id: NORA.id,
    chat_id: CHAT_ID,
    to_name: 'Eve',
    text: client_id,
    created_at: 0,
    seq: 1,
  };
  return { ...about, attempts: 0, last_error: null, refused: null, ...change };
}

const statuses = (rows: QueuedMessage[], online = true) =>
  messageLines([], rows, { ...ME, online }).map(({ status }) => status);

test('a refused message says why, and holds up none of those after it', () => {
  const refused = { code: 'chat_closed', message: 'Closed' };
  const [failed, next] = messageLines([], [waiting('a', { refused, attempts: 1 }), waiting('b')], ME);
  expect(failed).toMatchObject({ id: 'a', status: 'failed', problem: refused });
  expect(next).toMatchObject({ id: 'b', status: 'sending', problem: null });
});

test('a message that could not leave waits, and those after it wait with it; without network all do', () => {
  expect(statuses([waiting('a'), waiting('b', { attempts: 2 }), waiting('c')])).toEqual([
    'sending',
    'waiting',
    'waiting',
  ]);
  expect(statuses([waiting('a'), waiting('b')], false)).toEqual(['waiting', 'waiting']);
});

test('my line becomes the one of the server in place: same id, never both', () => {
  const stored = messageOf(1, { sender_id: NORA.id });
  const before = messageLines([], [waiting(stored.id)], ME);
  const between = messageLines([stored], [waiting(stored.id)], ME);
  const after = messageLines([stored], [], ME);
  expect([before, between, after].map((lines) => lines.map(({ id }) => id))).toEqual([
    [stored.id],
    [stored.id],
    [stored.id],
  ]);
  expect([before, between, after].map(([line]) => line?.status)).toEqual(['sending', 'sent', 'sent']);
});

test('queued messages are at the end, in the order they were written, whatever the clock of this device says', () => {
  const rows = [waiting('b', { created_at: Date.UTC(1999, 0) }), waiting('a', { created_at: Date.UTC(1998, 0) })];
  expect(messageLines([messageOf(7)], rows, ME).map(({ id }) => id)).toEqual([messageOf(7).id, 'b', 'a']);
});

test('mine are sent, then read; those of others are received, and unread until they were seen', () => {
  const mine = { sender_id: NORA.id };
  const lines = messageLines(
    [messageOf(1, mine), messageOf(2, { ...mine, read_at: READ_AT }), messageOf(3), messageOf(4, { read_at: READ_AT })],
    [],
    ME,
  );
  expect(lines.map(({ status, unread, mine: is_mine }) => [status, unread, is_mine])).toEqual([
    ['sent', false, true],
    ['read', false, true],
    ['received', true, false],
    ['received', false, false],
  ]);
});

test('a server without numbers gives lines without a number', () => {
  expect(messageLines([messageOf(1, { seq: 0 }), messageOf(2)], [], ME).map(({ seq }) => seq)).toEqual([null, 2]);
});

test('a refused message stays where it was written, below none that came later and above none that came before', () => {
  const refused = { code: 'message_too_long', message: '' };
  const rows = [
    waiting('a', { refused, after_seq: 2 }),
    waiting('b', { refused, after_seq: 2 }),
    waiting('c', { after_seq: 2 }),
    waiting('d', { refused, after_seq: 9 }),
    waiting('e', { refused }),
  ];
  const ids = messageLines(messagesOf(1, 3), rows, ME).map(({ id }) => id);
  expect(ids).toEqual([messageOf(1).id, messageOf(2).id, 'a', 'b', messageOf(3).id, 'c', 'd', 'e']);
});

test('a refused message with which a chat began stays above all that came', () => {
  const refused = { code: 'message_too_long', message: '' };
  const rows = [waiting('a', { refused, after_seq: 0 }), waiting('b', { refused, after_seq: 0 })];
  const idsOf = (count: number) => messageLines(messagesOf(1, count), rows, ME).map(({ id }) => id);
  expect(messageLines([], rows, ME).map(({ id }) => id)).toEqual(['a', 'b']);
  expect(idsOf(2)).toEqual(['a', 'b', messageOf(1).id, messageOf(2).id]);
});

test('a refused message of an older page comes with that page', () => {
  const rows = [waiting('a', { refused: { code: 'message_too_long', message: '' }, after_seq: 2 })];
  const idsFrom = (first: number) => messageLines(messagesOf(first, 5), rows, ME).map(({ id }) => id);
  expect(idsFrom(4)).not.toContain('a');
  expect(idsFrom(3)[0]).toBe('a');
  expect(idsFrom(1)[2]).toBe('a');
});
