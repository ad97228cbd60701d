import { expect, test } from 'vitest';
import {
  clearChatRequests,
  onOpenChatRequest,
  onStartChatRequest,
  requestOpenChat,
  requestStartChat,
} from './chat-requests.ts';

test('a chat requested before the panel is mounted waits for it, the latest alone and once', () => {
  requestOpenChat('a');
  requestOpenChat('b');
  const heard: string[] = [];
  const stop = onOpenChatRequest((chat_id) => heard.push(chat_id));
  expect(heard).toEqual(['b']);
  requestOpenChat('c');
  expect(heard).toEqual(['b', 'c']);
  stop();
  requestOpenChat('d');
  const later: string[] = [];
  onOpenChatRequest((chat_id) => later.push(chat_id))();
  expect(heard).toEqual(['b', 'c']);
  expect(later).toEqual(['d']);
});

test('a chat request is not shown to the next user who signs in', () => {
  requestOpenChat('chat');
  requestStartChat('friend');
  clearChatRequests();
  const heard: string[] = [];
  onOpenChatRequest((id) => heard.push(id))();
  onStartChatRequest((id) => heard.push(id))();
  expect(heard).toEqual([]);
});

test('a request for a chat with a friend differs from one for a chat that exists', () => {
  const heard: string[] = [];
  const stops = [
    onOpenChatRequest((id) => heard.push(`open ${id}`)),
    onStartChatRequest((id) => heard.push(`start ${id}`)),
  ];
  requestStartChat('friend');
  requestOpenChat('chat');
  for (const stop of stops) stop();
  expect(heard).toEqual(['start friend', 'open chat']);
});
