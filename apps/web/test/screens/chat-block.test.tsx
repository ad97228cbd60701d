import { blockUser } from '@sendlap/contract/friends.ts';
import { screen, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { EVE, NORA } from '../people.ts';
import {
  findLog,
  findMessageField,
  findPanel,
  openAppWithChats,
  openChatWith,
  pressInPanel,
  putMessages,
  queryMessageField,
} from '../scenes/chat-panel.ts';

const TEXT = 'Kletterhalle am Nordwall';

/** Opens a chat of Nora's with a text of hers and a deleted one of Eve's. */
async function openChat() {
  const phone = await openAppWithChats({
    prepare(chats, server) {
      putMessages(chats, [
        { by: EVE, text: '', is_read: true },
        { by: NORA, text: TEXT, is_read: true },
      ]);
      server.on(blockUser, ({ body }) => {
        chats.block(EVE);
        return { id: body.user_id, name: EVE.name, created_at: new Date().toISOString() };
      });
    },
  });
  await phone.server.stream.opened();
  await openChatWith(phone, 'Eve');
  const log = within(await findLog());
  await log.findByText('This message was deleted.');
  log.getByText(TEXT);
  return phone;
}

async function expectChatIsGone(): Promise<void> {
  const panel = within(await findPanel('Chats'));
  expect((await panel.findByRole('alert')).textContent).toBe('Cannot open chat');
  panel.getByText('No valid chat ID found. Cannot send messages.');
  expect(queryMessageField()).toBeNull();
  expect(screen.queryByText(TEXT, { exact: false })).toBeNull();
}

test('the name above a chat leads to a report, and to a block that takes the open chat away', async () => {
  const phone = await openChat();
  const { user, server } = phone;
  await pressInPanel(phone, 'Eve');
  const card = await screen.findByRole('dialog', { name: 'Profile' });
  await user.click(within(card).getByRole('button', { name: 'Report' }));
  const report = await screen.findByRole('dialog', { name: 'Report Eve' });
  await user.keyboard('{Escape}');
  await vi.waitFor(() => expect(report.isConnected).toBe(false));
  await findMessageField();
  await pressInPanel(phone, 'Eve');
  await user.click(
    within(await screen.findByRole('dialog', { name: 'Profile' })).getByRole('button', { name: 'Block' }),
  );
  const question = within(await screen.findByRole('dialog', { name: /^Block/ }));
  await user.click(question.getByRole('button', { name: 'Block' }));
  await expectChatIsGone();
  expect(server.asked(blockUser).map(({ body }) => body.user_id)).toEqual([EVE.id]);
});

test("the other athlete's block takes the open chat away", async () => {
  const { chats } = await openChat();
  chats.block(EVE);
  await expectChatIsGone();
});
