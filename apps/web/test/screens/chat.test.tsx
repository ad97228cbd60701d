import { screen, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { ChatModel } from '../models/chat-model.ts';
import { openApp } from '../open-app.ts';
import { EVE, NORA } from '../people.ts';

test('a message is written, read and answered while both look', async () => {
  let chats: ChatModel | undefined;
  const { user, server } = await openApp({
    prepare: (fake) => {
      chats = new ChatModel(fake, NORA, [EVE]);
      chats.put(EVE, EVE, 'hello');
    },
  });
  await server.stream.opened();
  await user.click(await screen.findByRole('button', { name: /^Open chats, 1 unread/ }));
  const panel = await screen.findByRole('dialog');
  await user.click(await within(panel).findByRole('button', { name: /Eve/ }));
  const field = await screen.findByRole('textbox', { name: /^Message to/ });
  await user.type(field, 'hi Eve{Enter}');
  // The field is there before the messages are.
  await within(await screen.findByRole('log')).findByText('hi Eve');
  await within(screen.getByRole('log')).findByText('Sent');
  chats?.read(EVE);
  await within(screen.getByRole('log')).findByText('Read');
  chats?.write(EVE, 'and now?');
  await within(screen.getByRole('log')).findByText('and now?');
  expect(chats?.messagesWith(EVE)).toEqual(['hello', 'hi Eve', 'and now?']);
});
