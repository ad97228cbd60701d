import { expect, test } from 'vitest';
import { CHAT, CHAT_ID, messageOf } from '#test/unit/fake-chat.ts';
import { EVE, NORA } from '#test/unit/fake-server.ts';
import { mergeChats, unreadTotal, withMessage, withUnread } from './chat-list.ts';
import { ERASED_USER_ID } from './erased-user.ts';

const OTHER = { ...CHAT, id: '55555555-5555-4555-8555-555555555555', last_seq: 4, unreadCount: 2 };

test('a message of a chat that is not in the list, or without a number, is a reason to read the list again', () => {
  expect(withMessage([OTHER], messageOf(1), NORA.id)).toBeNull();
  expect(withMessage([CHAT], messageOf(1, { seq: 0 }), NORA.id)).toBeNull();
});

test('a new message brings its chat to the top, with its text on one line, and counts as unread', () => {
  const chats = withMessage([OTHER, CHAT], messageOf(1, { message: 'Hi\n  there' }), NORA.id);
  expect(chats).toMatchObject([
    { id: CHAT_ID, latest_message_preview: 'Hi there', latest_message_sender_id: EVE.id, last_seq: 1, unreadCount: 1 },
    { id: OTHER.id, unreadCount: 2 },
  ]);
});

test('a message with a gap before it causes a new read of the list, as the messages between are not counted', () => {
  const mine = messageOf(4, { sender_id: NORA.id });
  expect(withMessage([CHAT], mine, NORA.id)).toBeNull();
  expect(withMessage([{ ...CHAT, last_seq: 3 }], mine, NORA.id)).toMatchObject([{ last_seq: 4 }]);
});

test('the same message again counts once, and my own never', () => {
  const once = withMessage([CHAT], messageOf(1), NORA.id) ?? [];
  expect(withMessage(once, messageOf(1), NORA.id)).toEqual(once);
  expect(withMessage(once, messageOf(2, { sender_id: NORA.id }), NORA.id)).toMatchObject([
    { unreadCount: 1, last_seq: 2 },
  ]);
});

test('a list read before a message came does not remove the message, but updates can_send', () => {
  const told = withMessage([OTHER, CHAT], messageOf(1), NORA.id) ?? [];
  const fetched = [OTHER, { ...CHAT, can_send: false }];
  const merged = mergeChats({ cached_before: [OTHER, CHAT], cached_now: told, fetched });
  expect(merged).toMatchObject([{ id: CHAT_ID, last_seq: 1, unreadCount: 1, can_send: false }, { id: OTHER.id }]);
});

test('no earlier event of an erased user stays, however new it was', () => {
  const told = withMessage([CHAT], messageOf(1), NORA.id) ?? [];
  const other_participant = { id: ERASED_USER_ID, name: 'Athlete', public_id: '' };
  const fetched = [{ ...CHAT, name: 'Athlete', other_participant, can_send: false }];
  expect(mergeChats({ cached_before: [CHAT], cached_now: told, fetched })).toEqual(fetched);
});

test('a chat that the server no longer lists is removed, and a newer state replaces the older one', () => {
  const newer = { ...CHAT, last_seq: 9, unreadCount: 0 };
  const cached_now = [OTHER, CHAT];
  expect(mergeChats({ cached_before: cached_now, cached_now, fetched: [newer] })).toEqual([newer]);
});

test('chats that the server has lost, as with an older copy of its database, are dropped: only later events stay', () => {
  const cached_now = [{ ...CHAT, last_seq: 9, unreadCount: 0, latest_message_preview: 'lost' }];
  const fetched = [{ ...CHAT, last_seq: 5, unreadCount: 2, latest_message_preview: 'left' }];
  expect(mergeChats({ cached_before: cached_now, cached_now, fetched })).toEqual(fetched);
});

test('a chat that was begun while the list was read stays, at the top', () => {
  expect(mergeChats({ cached_before: [OTHER], cached_now: [CHAT, OTHER], fetched: [OTHER] })).toEqual([CHAT, OTHER]);
  expect(mergeChats({ cached_before: [OTHER], cached_now: [CHAT, OTHER], fetched: [OTHER, CHAT] })).toEqual([
    OTHER,
    CHAT,
  ]);
});

test('unread messages never become fewer than none, and all chats count together', () => {
  expect(withUnread([CHAT], CHAT_ID, (count) => count - 5)).toEqual([CHAT]);
  expect(unreadTotal([OTHER, { ...CHAT, unreadCount: 5 }])).toBe(7);
});
