import { Chat, Message } from '@sendlap/contract/chats.ts';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { EVE, NORA } from '#test/unit/fake-server.ts';
import { completeChatReply, completeChatsReply, completeMessageReply, completeMessagesReply } from './chat-reply.ts';

const CHAT_ID = '44444444-4444-4444-8444-444444444444';
const MESSAGE_ID = '66666666-6666-4666-8666-666666666666';
const AT = '2026-11-21T10:00:00.000Z';

const person = ({ id, name, public_id }: typeof NORA) => ({ id, name, public_id });
/** As in the spec (section 3), without a name for the last message. */
const BARE_CHAT = {
  id: CHAT_ID,
  name: 'Eve',
  sender: person(NORA),
  receiver: person(EVE),
  other_participant: { name: 'Eve' },
  unreadCount: 2,
};
const BARE_MESSAGE = { id: MESSAGE_ID, sender_id: EVE.id };

const readChats = (body: unknown) => z.array(Chat).safeParse(completeChatsReply(NORA.id)(body));
const readMessages = (body: unknown) => z.array(Message).safeParse(completeMessagesReply({ chat_id: CHAT_ID })(body));

describe('an invalid chat or message', () => {
  test.each([null, 'a page', 7, {}, { data: null }, [null], [{}], { data: [{ id: 'x' }] }])(
    '%j is left for the schema to refuse',
    (body) => {
      expect([readChats(body).success, readMessages(body).success]).toEqual([false, false]);
      const one = completeMessageReply({ chat_id: CHAT_ID })(body);
      expect([Chat.safeParse(completeChatReply(NORA.id)(body)).success, Message.safeParse(one).success]).toEqual([
        false,
        false,
      ]);
    },
  );

  test('a message without text or with a missing or invalid time is refused', () => {
    for (const about of [{ message: 'Hi' }, { createdAt: AT }, { message: 'Hi', createdAt: 'soon' }])
      expect(readMessages([{ ...BARE_MESSAGE, sender_name: 'Eve', ...about }]).success).toBe(false);
  });
});

test.each([
  ['latest_message_preview', { latest_message_preview: 'Hi', latest_message_at: AT }],
  ['lastMessage', { lastMessage: 'Hi', lastMessageAt: AT }],
  ['lastMessage as a message', { lastMessage: { message: 'Hi', created_at: AT } }],
  ['lastMessage as a message with the other names', { lastMessage: { content: 'Hi', createdAt: AT } }],
  ['a time with an offset', { lastMessage: 'Hi', lastMessageAt: '2026-11-21T11:00:00+01:00' }],
])(
  'a chat whose last message is called %s by the server is understood [spec 3.chat.preview-names, 3.chat.time-names]',
  (_, last) => {
    for (const body of [[{ ...BARE_CHAT, ...last }], { success: true, data: [{ ...BARE_CHAT, ...last }] }])
      expect(readChats(body).data).toMatchObject([
        {
          id: CHAT_ID,
          latest_message_preview: 'Hi',
          latest_message_at: AT,
          unreadCount: 2,
          last_seq: 0,
          can_send: true,
        },
      ]);
  },
);

test('of a server that only names the other one it is found among the two who they are', () => {
  expect(readChats([BARE_CHAT]).data?.[0]?.other_participant).toEqual(person(EVE));
  const turned = { ...BARE_CHAT, sender: person(EVE), receiver: person(NORA) };
  expect(readChats([turned]).data?.[0]?.other_participant).toEqual(person(EVE));
});

test('a chat without any message yet is one', () => {
  expect(Chat.parse(completeChatReply(NORA.id)({ data: BARE_CHAT }))).toMatchObject({
    latest_message_preview: null,
    latest_message_at: null,
  });
});

test.each([
  ['snake case', { message: 'Hi', sender_name: 'Eve', created_at: AT }],
  ['the other names', { content: 'Hi', senderName: 'Eve', createdAt: AT }],
])(
  'a message in %s is understood [spec 3.message.text-names, 3.message.sender-names, 3.message.time-names]',
  (_, about) => {
    const message = { ...BARE_MESSAGE, ...about };
    const whole = {
      id: MESSAGE_ID,
      chat_id: CHAT_ID,
      seq: 0,
      message: 'Hi',
      sender_name: 'Eve',
      created_at: AT,
      read_at: null,
    };
    expect(readMessages([message]).data).toEqual([{ ...whole, sender_id: EVE.id }]);
    expect(readMessages({ success: true, data: { data: [message] } }).data).toEqual([{ ...whole, sender_id: EVE.id }]);
    expect(Message.parse(completeMessageReply({ chat_id: CHAT_ID })({ data: message })).message).toBe('Hi');
  },
);

test('replies of our own server stay unchanged', () => {
  const chat = {
    ...BARE_CHAT,
    other_participant: person(EVE),
    latest_message_preview: 'Hi',
    latest_message_at: AT,
    latest_message_sender_id: EVE.id,
    last_seq: 3,
    can_send: false,
  };
  const message = {
    ...BARE_MESSAGE,
    chat_id: CHAT_ID,
    seq: 3,
    message: 'Hi',
    sender_name: 'Eve',
    created_at: AT,
    read_at: AT,
  };
  expect(readChats([chat]).data).toEqual([chat]);
  expect(readMessages([message]).data).toEqual([message]);
});
