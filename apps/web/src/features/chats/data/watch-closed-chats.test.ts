import { expect, test, vi } from 'vitest';
import { CHAT_ID } from '#test/unit/fake-chat.ts';
import type { QueuedMessage } from '#web/shared/outbox/store/queued-message.ts';
import { watchClosedChats } from './watch-closed-chats.ts';

function queuedMessage(client_id: string, code: string | null): QueuedMessage {
  return {
    client_id,
    user_id: 'nora',
    chat_id: CHAT_ID,
    to_name: 'Eve',
    text: 'hello',
    created_at: 0,
    seq: 1,
    attempts: 0,
    last_error: null,
    refused: code === null ? null : { code, message: '' },
  };
}

/** Applies the changes of the waiting messages; returns the number of `onClosed` calls after each. */
function follow(...changes: QueuedMessage[][]): number[] {
  const [before = [], ...after] = changes;
  const onClosed = vi.fn();
  let messages = before;
  let tell = () => {};
  const subscribe = (listener: () => void) => {
    tell = listener;
    return () => {};
  };
  const getSnapshot = () => ({ messages }) as never;
  watchClosedChats({ subscribe, getSnapshot }, onClosed);
  return after.map((changed) => {
    messages = changed;
    tell();
    return onClosed.mock.calls.length;
  });
}

test.each(['chat_closed', 'chat_not_found'])(
  'a new refusal with %s calls `onClosed` once; one that was known before does not',
  (code) => {
    const refused = queuedMessage('one', code);
    expect(follow([queuedMessage('one', null)], [refused], [refused], [refused, queuedMessage('two', code)])).toEqual([
      1, 1, 2,
    ]);
    expect(follow([refused], [queuedMessage('one', null)], [refused])).toEqual([0, 1]);
  },
);

test('a queued message, and one refused for its content, say nothing about the chat', () => {
  expect(follow([], [queuedMessage('one', null)], [queuedMessage('one', 'message_too_long')], [])).toEqual([0, 0, 0]);
  expect(follow([queuedMessage('one', 'chat_closed')], [queuedMessage('one', 'chat_closed')], [])).toEqual([0, 0]);
});
