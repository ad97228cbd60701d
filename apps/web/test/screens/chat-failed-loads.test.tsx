import { createChat, listChats, listMessages } from '@sendlap/contract/chats.ts';
import { listFriends } from '@sendlap/contract/friends.ts';
import type { Endpoint } from '@sendlap/contract/wire/endpoint.ts';
import { screen, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import type { FakeServer } from '../models/fake-server.ts';
import type { Phone } from '../open-app.ts';
import { EVE } from '../people.ts';
import {
  findChatButton,
  findLog,
  findPanel,
  openAppWithChats,
  pressInPanel,
  waitForStatus,
  writeMessage,
} from '../scenes/chat-panel.ts';

/** Replies 400 without the server's envelope, as a proxy in front of it does. */
function replyLikeBrokenProxy(server: FakeServer, ...endpoints: Endpoint[]): void {
  for (const endpoint of endpoints) server.replyRaw(endpoint, () => new Response('broken', { status: 400 }));
}

const findAlert = async () => within(await findPanel()).findByRole('alert');

/** Presses Retry twice: while the server still refuses, which is reported again, and after it works again. */
async function retryTwice({ server, user }: Phone, endpoint: Endpoint): Promise<void> {
  const press = async () => user.click(within(await findAlert()).getByRole('button', { name: 'Retry' }));
  const request_count = server.asked(endpoint).length;
  await press();
  await vi.waitFor(() => expect(server.asked(endpoint).length).toBeGreaterThan(request_count));
  await findAlert();
  server.heal(endpoint);
  await press();
  const panel = within(await findPanel());
  await vi.waitFor(() => expect(panel.queryByRole('alert')).toBeNull());
}

test('chats, friends and messages that cannot be loaded say so, and Retry brings each [spec 8.chat.load, 8.chat.load-messages, 8.chat.list-error, 8.chat.friends-error]', async () => {
  const phone = await openAppWithChats({
    prepare(chats, server) {
      chats.put(EVE, EVE, 'See you there!');
      replyLikeBrokenProxy(server, listChats, listFriends, listMessages);
    },
  });
  await phone.user.click(await findChatButton());
  const chats_alert = await findAlert();
  within(chats_alert).getByRole('heading', { name: 'Error loading chats' });
  within(chats_alert).getByText('Failed to load chats');
  await retryTwice(phone, listChats);
  await within(await findPanel()).findByRole('button', { name: /Eve/ });

  await pressInPanel(phone, 'Start New Chat');
  within(await findAlert()).getByRole('heading', { name: 'Error loading friends' });
  await retryTwice(phone, listFriends);
  await pressInPanel(phone, /Eve/);
  within(await findAlert()).getByRole('heading', { name: 'Failed to load messages' });
  await retryTwice(phone, listMessages);
  await within(await findLog()).findByText('See you there!');
});

test('chats that the server itself refuses, which no other part requests again, come with Retry', async () => {
  const phone = await openAppWithChats({
    prepare(chats, server) {
      chats.put(EVE, EVE, 'See you there!');
      server.refuse(listChats, 'bad_request');
    },
  });
  await phone.server.stream.opened();
  // A new stream would also load the missing chats.
  phone.server.stream.hold();
  await phone.user.click(await findChatButton());
  await retryTwice(phone, listChats);
  await within(await findPanel()).findByRole('button', { name: /Eve/ });
});

test('a chat that cannot be begun says so, and begins at the next try; a message that is refused says so [spec 8.chat.start, 8.chat.send]', async () => {
  const phone = await openAppWithChats({ prepare: (_, server) => replyLikeBrokenProxy(server, createChat) });
  await phone.user.click(await findChatButton());
  await pressInPanel(phone, 'Start New Chat');
  await pressInPanel(phone, /Eve/);
  expect((await findAlert()).textContent).toBe('Failed to start chat');
  phone.server.heal(createChat);
  await pressInPanel(phone, /Eve/);
  await within(await findPanel()).findByText('Say hello');
  await writeMessage(phone, 'x'.repeat(20_001));
  await waitForStatus('xxx', 'Not sent');
  within(await findLog()).getByText(/^Failed to send message/);
  await pressInPanel(phone, 'Back to chats');
  await within(await findPanel('Chats')).findByRole('button', { name: /Eve/ });
  await pressInPanel(phone, 'Close chats');
  await findChatButton();
});

test.each([
  { what: 'without an id', id: '', problem: 'Invalid chat ID provided:' },
  { what: 'with an invalid id', id: 'abc', problem: 'Chat ID is not a valid UUID format: abc' },
  { what: 'of a chat that is not mine', id: crypto.randomUUID(), problem: 'Cannot open chat' },
])(
  'an address $what names the problem, and that nothing can be written [spec 5.message.disabled, 8.chat.none-selected, 8.chat.no-id]',
  async ({ id, problem }) => {
    await openAppWithChats({
      path: `/dashboard?chat=${id}`,
      prepare: (chats) => void chats.put(EVE, EVE, 'See you there!'),
    });
    const panel = within(await findPanel('Chats'));
    await vi.waitFor(() => expect(panel.getByRole('alert').textContent?.trim()).toBe(problem));
    panel.getByText('No chat selected');
    panel.getByText('No valid chat ID found. Cannot send messages.');
    expect(panel.queryByRole('textbox')).toBeNull();
    await vi.waitFor(() => expect(window.location.search).toBe(''));
    expect(screen.queryByText('See you there!')).toBeNull();
  },
);

test('without a network, chats and friends that are not on the device say so without an alarm, and come with the network', async () => {
  const phone = await openAppWithChats({
    prepare(chats, server) {
      chats.put(EVE, EVE, 'See you there!');
      server.fail(listChats);
      server.fail(listFriends);
    },
  });
  const button = await findChatButton();
  phone.setOnline(false);
  await phone.user.click(button);
  const panel = within(await findPanel());
  await panel.findByRole('heading', { name: "You're offline" });
  expect(panel.queryByRole('alert')).toBeNull();
  expect(panel.queryByRole('button', { name: 'Retry' })).toBeNull();
  await pressInPanel(phone, 'Start New Chat');
  await panel.findByRole('heading', { name: "You're offline" });
  expect(panel.queryByRole('button', { name: 'Retry' })).toBeNull();
  phone.server.heal(listChats);
  phone.server.heal(listFriends);
  phone.setOnline(true);
  await panel.findByRole('button', { name: /Eve/ });
});

test('a chat that cannot be begun without a network says so, and no longer once the network is back', async () => {
  const phone = await openAppWithChats();
  await phone.user.click(await findChatButton());
  await pressInPanel(phone, 'Start New Chat');
  const panel = within(await findPanel());
  await panel.findByRole('button', { name: /Eve/ });
  phone.setOnline(false);
  await pressInPanel(phone, /Eve/);
  const alert = within(await findAlert());
  alert.getByText("You're offline. Try again once you have a connection.");
  expect(alert.queryByText('Network error')).toBeNull();
  phone.setOnline(true);
  await vi.waitFor(() => expect(panel.queryByRole('alert')).toBeNull());
});
