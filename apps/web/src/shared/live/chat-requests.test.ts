import { expect, test } from 'vitest';
import { clearChatRequests, openChatRequests, startChatRequests } from './chat-requests.ts';

test('a chat requested before the panel is mounted waits for it, the latest alone and once', () => {
  openChatRequests.send('a');
  openChatRequests.send('b');
  const heard: string[] = [];
  const stop = openChatRequests.onRequest((chat_id) => heard.push(chat_id));
  expect(heard).toEqual(['b']);
  openChatRequests.send('c');
  expect(heard).toEqual(['b', 'c']);
  stop();
  openChatRequests.send('d');
  const later: string[] = [];
  openChatRequests.onRequest((chat_id) => later.push(chat_id))();
  expect(heard).toEqual(['b', 'c']);
  expect(later).toEqual(['d']);
});

test('a chat request is not shown to the next user who signs in', () => {
  openChatRequests.send('chat');
  startChatRequests.send('friend');
  clearChatRequests();
  const heard: string[] = [];
  openChatRequests.onRequest((id) => heard.push(id))();
  startChatRequests.onRequest((id) => heard.push(id))();
  expect(heard).toEqual([]);
});

test('a request for a chat with a friend differs from one for a chat that exists', () => {
  const heard: string[] = [];
  const stops = [
    openChatRequests.onRequest((id) => heard.push(`open ${id}`)),
    startChatRequests.onRequest((id) => heard.push(`start ${id}`)),
  ];
  startChatRequests.send('friend');
  openChatRequests.send('chat');
  for (const stop of stops) stop();
  expect(heard).toEqual(['start friend', 'open chat']);
});
