import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ChatPanelEvent,
  type ChatPanelState,
  CLOSED_CHAT_PANEL,
  chatPanelReducer,
  visibleChatId,
} from './chat-panel.ts';

const ANA = '0b5c1f0e-3a5d-4c8e-9f00-1234567890ab';
const BEA = '1c6d2f0e-3a5d-4c8e-9f00-1234567890ab';

const panelAfter = (...events: ChatPanelEvent[]) => events.reduce<ChatPanelState>(chatPanelReducer, CLOSED_CHAT_PANEL);
const OPEN: ChatPanelEvent = { type: 'open' };
const CLOSE: ChatPanelEvent = { type: 'close' };
const MINIMIZE: ChatPanelEvent = { type: 'minimize' };
const RESTORE: ChatPanelEvent = { type: 'restore' };
const BACK: ChatPanelEvent = { type: 'back' };
const PICK: ChatPanelEvent = { type: 'pick_friend' };
const openChat = (id: string): ChatPanelEvent => ({ type: 'open_chat', chat: { id } });
const start = (friend_id: unknown): ChatPanelEvent => ({ type: 'start_chat', friend_id });

describe('events that do not apply change nothing', () => {
  test.each<[string, ChatPanelEvent[], ChatPanelEvent]>([
    ['closing the closed panel', [], CLOSE],
    ['minimizing the closed panel', [], MINIMIZE],
    ['restoring the closed panel', [], RESTORE],
    ['back from the closed panel', [], BACK],
    ['picking a friend while closed', [], PICK],
    ['opening the open panel', [OPEN], OPEN],
    ['back from the list', [OPEN], BACK],
    ['restoring the open panel', [OPEN], RESTORE],
    ['minimizing twice', [OPEN, MINIMIZE], MINIMIZE],
    ['back in the minimized panel', [openChat(ANA), MINIMIZE], BACK],
    ['picking in the minimized panel', [OPEN, MINIMIZE], PICK],
    ['picking among the messages', [openChat(ANA)], PICK],
    ['opening the chat that is open', [openChat(ANA)], openChat(ANA)],
    ['starting twice', [OPEN, PICK, start(BEA)], start(BEA)],
    ['a failure of a start that was left', [OPEN, PICK], { type: 'start_failed' }],
    ['another chat that is missing', [openChat(ANA)], { type: 'chat_missing', chat_id: BEA }],
  ])('%s', (_name, events, event) => {
    const before = panelAfter(...events);
    expect(chatPanelReducer(before, event)).toBe(before);
  });
});

test('the panel begins closed, and is closed from anywhere [spec 4.chat-panel.closed]', () => {
  expect(panelAfter()).toEqual(CLOSED_CHAT_PANEL);
  for (const events of [[OPEN], [OPEN, PICK], [openChat(ANA)], [openChat(ANA), MINIMIZE]])
    expect(panelAfter(...events, CLOSE)).toEqual(CLOSED_CHAT_PANEL);
});

test('it opens with the list, and goes back to it [spec 4.chat-panel.list]', () => {
  expect(panelAfter(OPEN)).toMatchObject({ view: 'list', minimized: false, picking: false, chat_id: null });
  expect(panelAfter(OPEN, openChat(ANA), BACK)).toEqual(panelAfter(OPEN));
  expect(panelAfter(OPEN, PICK, BACK)).toEqual(panelAfter(OPEN));
});

test('a chat opens from anywhere with its messages [spec 4.chat-panel.messages]', () => {
  const open = { view: 'messages', chat_id: ANA, minimized: false, problem: null };
  for (const events of [
    [],
    [OPEN],
    [OPEN, PICK],
    [openChat(BEA)],
    [openChat(BEA), MINIMIZE],
    [OPEN, PICK, start(BEA)],
  ]) {
    expect(panelAfter(...events, openChat(ANA))).toMatchObject(open);
    expect(panelAfter(...events, { type: 'open_chat_id', chat_id: ANA.toUpperCase() })).toMatchObject(open);
  }
});

test('minimized it keeps its place and shows no chat [spec 4.chat-panel.minimized]', () => {
  const minimized = panelAfter(openChat(ANA), MINIMIZE);
  expect(minimized).toMatchObject({ view: 'messages', chat_id: ANA, minimized: true });
  expect([visibleChatId(panelAfter(openChat(ANA))), visibleChatId(minimized)]).toEqual([ANA, null]);
  expect(chatPanelReducer(minimized, RESTORE)).toEqual(panelAfter(openChat(ANA)));
  expect(chatPanelReducer(minimized, OPEN)).toEqual(panelAfter(openChat(ANA)));
});

describe('problems that the panel shows', () => {
  test.each<[ChatPanelEvent, string]>([
    [{ type: 'open_chat', chat: 'Bea' }, 'no_chat'],
    [{ type: 'open_chat', chat: { id: 'Bea' } }, 'no_chat'],
    [{ type: 'open_chat_id', chat_id: '' }, 'no_chat_id'],
    [{ type: 'open_chat_id', chat_id: 'Bea' }, 'no_uuid'],
  ])('%j opens the messages view without a chat', (event, code) => {
    expect(panelAfter(OPEN, event)).toMatchObject({ view: 'messages', chat_id: null, problem: { code } });
    expect(panelAfter(OPEN, event, BACK)).toEqual(panelAfter(OPEN));
  });

  test('a chat that does not exist for me cannot be opened', () => {
    const missing = panelAfter(openChat(ANA), MINIMIZE, { type: 'chat_missing', chat_id: ANA });
    expect(missing).toMatchObject({
      view: 'messages',
      chat_id: null,
      minimized: true,
      problem: { code: 'cannot_open' },
    });
  });

  test('an invalid friend leaves the picker open', () => {
    expect(panelAfter(start('Bea'))).toMatchObject({ picking: true, starting: null, problem: { code: 'no_friend' } });
  });
});

test('a chat is started from anywhere, waits in the picker, and may fail', () => {
  const starting = panelAfter(openChat(ANA), MINIMIZE, start(BEA));
  expect(starting).toMatchObject({ view: 'list', picking: true, starting: BEA, minimized: false });
  expect(chatPanelReducer(starting, { type: 'start_failed' })).toMatchObject({ picking: true, starting: null });
});

const chats = fc.constantFrom<unknown>({ id: ANA }, { id: BEA }, { id: 'x' }, null, 'x');
const ids = fc.constantFrom<unknown>(ANA, BEA, 'x', '', null);
const events = fc.oneof(
  fc.constantFrom<ChatPanelEvent>(OPEN, CLOSE, MINIMIZE, RESTORE, BACK, PICK),
  fc.constantFrom<ChatPanelEvent>(
    { type: 'start_failed' },
    { type: 'signed_out' },
    { type: 'chat_missing', chat_id: ANA },
  ),
  chats.map((chat): ChatPanelEvent => ({ type: 'open_chat', chat })),
  ids.map((chat_id): ChatPanelEvent => ({ type: 'open_chat_id', chat_id })),
  ids.map((friend_id): ChatPanelEvent => start(friend_id)),
);

test('in any order: only the messages view has a chat, without one it says why, and a closed panel keeps nothing', () => {
  fc.assert(
    fc.property(fc.array(events, { maxLength: 30 }), (happened) => {
      const state = panelAfter(...happened);
      if (state.view === 'closed') expect(state).toEqual(CLOSED_CHAT_PANEL);
      if (state.view !== 'messages') expect(state.chat_id).toBeNull();
      if (state.view === 'messages')
        expect([state.chat_id, state.problem].filter((value) => value === null)).toHaveLength(1);
      if (state.view !== 'list') expect([state.picking, state.starting]).toEqual([false, null]);
      if (state.starting !== null) expect(state.picking).toBe(true);
    }),
  );
});
