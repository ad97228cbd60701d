import { listFriends } from '@sendlap/contract/friends.ts';
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { FriendModel } from '../models/friend-model.ts';
import { openApp } from '../open-app.ts';
import { athlete, EVE, MAX, NORA } from '../people.ts';
import { friendsSection } from '../scenes/friends-screen.ts';

const DORA = athlete('Dora', 4);

test('an athlete with a keyboard stays in the lists after ending a friendship and after a block', async () => {
  const { user, server } = await openApp({
    path: '/friends',
    prepare: (fake) => new FriendModel(fake, NORA, [EVE, MAX, DORA]).befriend(EVE, MAX, DORA),
  });
  const pressOn = async (button: HTMLElement) => {
    button.focus();
    await user.keyboard('{Enter}');
  };
  for (const [name, action] of [
    ['Eve', 'Remove friend'],
    ['Max', 'Block'],
  ] as const) {
    const lines = within(await friendsSection());
    const main = within(screen.getByRole('main'));
    await pressOn(await lines.findByRole('button', { name: new RegExp(`^\\w? ?${name}`) }));
    const profile = await screen.findByRole('dialog', { name: 'Profile' });
    await waitFor(() => expect(document.activeElement === profile).toBe(true));
    await pressOn(within(profile).getByRole('button', { name: action }));
    const sheet = await screen.findByRole('dialog', { name: new RegExp(`${name}\\?$`) });
    // The pressed button is gone; the list below the sheet does not take the focus.
    await waitFor(() => expect(document.activeElement === sheet).toBe(true));
    // As over a slow network: the row disappears before the lists are read again, which closes the sheet.
    const held = server.hold(listFriends);
    await pressOn(within(sheet).getByRole('button', { name: action }));
    await held.arrived;
    await waitFor(() => expect(main.queryByText(name)).toBeNull());
    held.release();
    await waitFor(() => expect(sheet.isConnected).toBe(false));
    await waitFor(() => expect(screen.getByRole('main').contains(document.activeElement)).toBe(true));
  }
  await within(await friendsSection()).findByText('Dora');
});
