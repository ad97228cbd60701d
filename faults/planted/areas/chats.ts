import type { Area } from '../fault.ts';

const API = 'apps/api/src/modules/chats';
const WEB = 'apps/web/src/features/chats';
const SERVER_TESTS = [
  `${API}/chats.test.ts`,
  `${API}/texts.test.ts`,
  `${API}/together.test.ts`,
  `${API}/model.test.ts`,
];

export const CHATS: Area = {
  area: 'chats',
  faults: [
    {
      name: 'blocked-person-writes-on',
      file: `${API}/store-messages.ts`,
      find: `when \${IS_BLOCKED} then 'chat_not_found'`,
      replace: "when false then 'chat_not_found'",
      harm: 'Messages of a blocked person still arrive.',
      tests: SERVER_TESTS,
    },
    {
      name: 'former-friend-writes-on',
      file: `${API}/store-messages.ts`,
      find: "when f.id is null then 'chat_closed'",
      replace: "when false then 'chat_closed'",
      harm: 'After the friendship has ended both can still write.',
      tests: SERVER_TESTS,
    },
    {
      name: 'message-id-takes-another-text',
      file: `${API}/store-messages.ts`,
      find: 'when m.chat_id <> s.chat_id or m.sender_id <> s.sender_id or m.text <> s.text then',
      replace: 'when m.chat_id <> s.chat_id or m.sender_id <> s.sender_id then',
      harm: 'A message counts as sent although the server keeps another text under its id.',
      tests: SERVER_TESTS,
    },
    {
      name: 'own-messages-count-as-unread',
      file: `${API}/store-messages.ts`,
      find: 'w.sender_id = w.user_high as is_to_low',
      replace: 'w.sender_id = w.user_low as is_to_low',
      harm: 'The badge counts what the athlete wrote, and not what they were sent.',
      tests: SERVER_TESTS,
    },
    {
      name: 'stranger-marks-messages-read',
      file: `${API}/mark-read.ts`,
      find: `where c.id = \${chat_id} and \${isOpenTo(user_id)}\``,
      replace: `where c.id = \${chat_id}\``,
      harm: 'Anybody can mark messages of a chat of others as read.',
      tests: SERVER_TESTS,
    },
    {
      name: 'older-page-repeats-a-message',
      file: `${API}/store.ts`,
      find: `seq < \${before} order by seq desc`,
      replace: `seq <= \${before} order by seq desc`,
      harm: 'Each page of older messages begins with one that is already there.',
      tests: SERVER_TESTS,
    },
    {
      name: 'former-friend-sees-typing',
      file: `${API}/service.ts`,
      find: "if (!chat.is_friend) throw new AppError('chat_closed', 'You are no friends any more');",
      replace: '',
      harm: 'A former friend is told that the athlete is writing.',
      tests: SERVER_TESTS,
    },
    {
      name: 'different-messages-share-an-outcome',
      file: `${API}/grouping.ts`,
      find: 'if (known && isSame(known.item, item))',
      replace: 'if (known)',
      harm: 'Of two messages of one id the second is told that it was stored.',
      tests: [`${API}/grouping.test.ts`],
    },
    {
      name: 'read-message-becomes-unread',
      file: `${WEB}/thread.ts`,
      find: 'message.read_at ?? by_id.get(message.id)?.read_at ?? null',
      replace: 'message.read_at',
      harm: 'What was read counts as new again when an older answer arrives.',
      tests: [`${WEB}/*.test.ts`],
    },
    {
      name: 'words-of-an-erased-person-stay',
      file: `${WEB}/erased-person.ts`,
      find: "message: '', sender_id: ERASED_USER_ID",
      replace: 'sender_id: ERASED_USER_ID',
      harm: 'The phone keeps the messages of somebody who had their account erased.',
      tests: [`${WEB}/*.test.ts`],
    },
    {
      name: 'link-hides-where-it-leads',
      file: `${WEB}/chat-links.ts`,
      find: "url.username === '' && url.password === ''",
      replace: "url.password === ''",
      harm: 'A link "https://bank.example@evil.example" can be tapped.',
      tests: [`${WEB}/*.test.ts`],
    },
    {
      name: 'refused-message-falls-to-the-end',
      file: `${WEB}/message-lines.ts`,
      find: 'message.refused ? message.after_seq : undefined',
      replace: 'message.refused ? undefined : message.after_seq',
      harm: 'A refused message stands below messages that came later.',
      tests: [`${WEB}/*.test.ts`],
    },
  ],
};
