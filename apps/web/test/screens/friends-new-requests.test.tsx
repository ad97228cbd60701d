import { listFriendRequests } from '@sendlap/contract/friends.ts';
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, onTestFinished, test } from 'vitest';
import { setVisible } from '../device/device.ts';
import { FriendModel } from '../models/friend-model.ts';
import { openApp } from '../open-app.ts';
import { EVE, MAX, NORA } from '../people.ts';

const NOW = '2026-11-20T10:00:00.000Z';
const newRequest = () => screen.queryByRole('button', { name: '1 new request' });
const findAccept = (name: string) => screen.findByRole('button', { name: `Accept ${name}` });
const searchButton = () => screen.findByRole('button', { name: 'Search' });

/** Opens a screen of Nora, who has no requests yet. */
async function open(path: string, prepare: NonNullable<Parameters<typeof openApp>[0]>['prepare'] = () => {}) {
  let model: FriendModel | undefined;
  const phone = await openApp({
    path,
    now: NOW,
    prepare: (server) => {
      model = new FriendModel(server, NORA, [EVE, MAX]);
      prepare(server);
    },
  });
  if (!model) throw new Error('the app was opened without its friends');
  return { phone, model };
}

test('after a slow failure, Retry shows the requests themselves', async () => {
  const { phone, model } = await open('/profile');
  await phone.server.stream.opened();
  model.ask(EVE);
  const held = phone.server.hold(listFriendRequests);
  phone.server.replyRaw(listFriendRequests, () => Response.json({ detail: 'No list' }, { status: 409 }));
  await phone.reload('/friends');
  await held.arrived;
  await phone.passTime(1_500);
  await phone.user.click(await searchButton());
  held.release();
  const alert = (await screen.findByRole('heading', { name: 'Failed to load friend requests' })).closest(
    '[role=alert]',
  );
  phone.server.heal(listFriendRequests);
  await phone.user.click(within(alert as HTMLElement).getByRole('button', { name: 'Retry' }));
  await findAccept('Eve');
  expect(newRequest()).toBeNull();
});

test('requests of a slow answer are shown, unless the athlete has touched the screen before', async () => {
  const { phone, model } = await open('/profile');
  await phone.server.stream.opened();
  model.ask(EVE);
  for (const is_touched of [true, false]) {
    const held = phone.server.hold(listFriendRequests);
    await phone.reload('/friends');
    await held.arrived;
    await phone.passTime(1_500);
    if (is_touched) await phone.user.click(await searchButton());
    else await searchButton();
    held.release();
    if (is_touched) {
      await waitFor(() => expect(newRequest()).not.toBeNull());
      await phone.reload('/profile');
      model.ask(MAX);
    } else {
      await findAccept('Max');
      expect(newRequest()).toBeNull();
    }
  }
});

test('a request from before the screen was opened is shown there, also if an older list is cached', async () => {
  const { phone, model } = await open('/profile');
  await phone.server.stream.opened();
  const link = await within(await screen.findByRole('main')).findByRole('link', { name: /^Friends/ });
  const held = phone.server.hold(listFriendRequests);
  model.ask(EVE);
  await held.arrived;
  await phone.user.click(link);
  await searchButton();
  held.release();
  await findAccept('Eve');
  expect(newRequest()).toBeNull();
});

test('a request that arrives in the background is shown when the athlete comes back', async () => {
  const { phone, model } = await open('/friends');
  await phone.server.stream.opened();
  await phone.user.click(await searchButton());
  onTestFinished(() => setVisible(true));
  setVisible(false);
  model.ask(EVE);
  await findAccept('Eve');
  setVisible(true);
  model.ask(MAX);
  await waitFor(() => expect(newRequest()).not.toBeNull());
  await findAccept('Eve');
});
