import { expect, test } from 'vitest';
import { askToOpenChat, askToStartChat, forgetAskedChats, onAskToOpenChat, onAskToStartChat } from './open-chat.ts';

test('a chat that is asked for before the panel is there waits for it, the latest alone and once', () => {
  askToOpenChat('a');
  askToOpenChat('b');
  const heard: string[] = [];
  const stop = onAskToOpenChat((chat_id) => heard.push(chat_id));
  expect(heard).toEqual(['b']);
  askToOpenChat('c');
  expect(heard).toEqual(['b', 'c']);
  stop();
  askToOpenChat('d');
  const later: string[] = [];
  onAskToOpenChat((chat_id) => later.push(chat_id))();
  expect(heard).toEqual(['b', 'c']);
  expect(later).toEqual(['d']);
});

test('what somebody asked for is not shown to whoever signs in after them', () => {
  askToOpenChat('chat');
  askToStartChat('friend');
  forgetAskedChats();
  const heard: string[] = [];
  onAskToOpenChat((id) => heard.push(id))();
  onAskToStartChat((id) => heard.push(id))();
  expect(heard).toEqual([]);
});

test('a chat with a friend is another wish than a chat that there is', () => {
  const heard: string[] = [];
  const stops = [
    onAskToOpenChat((id) => heard.push(`open ${id}`)),
    onAskToStartChat((id) => heard.push(`start ${id}`)),
  ];
  askToStartChat('friend');
  askToOpenChat('chat');
  for (const stop of stops) stop();
  expect(heard).toEqual(['start friend', 'open chat']);
});
