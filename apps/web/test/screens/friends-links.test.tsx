import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { stubMap } from '../device/stub-map.ts';
import { answerBoards, IN_WEEK, type Rival } from '../models/board-model.ts';
import { FriendModel } from '../models/friend-model.ts';
import { answerCenter, POOL } from '../models/pool.ts';
import { openApp } from '../open-app.ts';
import { athlete, EVE, MAX, NORA } from '../people.ts';
import { friendsSection } from '../scenes/friends-screen.ts';

const friendRow = (points: number, { name, public_id }: typeof EVE): Rival => ({ points, user: { name, public_id } });

/** Boards with two friends, Eve on the podium and Max below it, and strangers. */
function openBoards(path: string, language: 'en' | 'es' = 'en') {
  return openApp({
    path,
    language,
    now: IN_WEEK,
    prepare: (server) => {
      answerCenter(server);
      new FriendModel(server, NORA, [EVE, MAX]).befriend(EVE, MAX);
      const stranger = { points: 600, user: { name: 'Otto' } };
      answerBoards(server, NORA, 465, () => [friendRow(700, EVE), stranger, 500, friendRow(400, MAX)]);
    },
  });
}

const main = () => within(screen.getByRole('main'));

test.each([
  ['en', 'You have no friend with the ID dora'],
  ['es', 'No tienes ningún amigo con el ID dora'],
] as const)(
  'a link to an account that is no friend opens no card, and says which ID was meant, in %s',
  async (language, text) => {
    const phone = await openBoards('/friends?friend=dora', language);
    await screen.findByText(text);
    expect(screen.queryByRole('dialog', { name: /^(Profile|Perfil)$/ })).toBeNull();
    await waitFor(() => expect(window.location.search).toBe(''));
    phone.setOnline(false);
    await phone.reload('/friends?friend=dora');
    await screen.findByText(text);
  },
);

test('on a board a row leads to its friend, a stranger’s leads to no one, and Back leads to the board', async () => {
  const { user } = await openBoards('/leaderboards');
  await screen.findByRole('listitem', { current: true });
  const links = main().getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Eve', '/friends?friend=eve'],
    ['You', '/profile'],
    ['Max', '/friends?friend=max'],
  ]);
  for (const { name, public_id } of [EVE, MAX]) {
    (await main().findByRole('link', { name })).focus();
    await user.keyboard('{Enter}');
    const card = within(await screen.findByRole('dialog', { name: 'Profile' }));
    card.getByText(public_id);
    card.getByRole('button', { name: 'Message' });
    expect(window.location.pathname + window.location.search).toBe('/friends');
    await user.click(card.getByRole('button', { name: 'Close' }));
    await friendsSection();
    await user.click(await screen.findByRole('button', { name: 'Back' }));
    await screen.findByRole('heading', { level: 1, name: 'Ranks' });
  }
});

test('without a network a row of the copied board leads to the copied friend', async () => {
  const phone = await openBoards('/leaderboards');
  await phone.user.click(await screen.findByRole('link', { name: 'Eve' }));
  await screen.findByRole('dialog', { name: 'Profile' });
  phone.setOnline(false);
  await phone.reload('/leaderboards');
  await phone.user.click(await screen.findByRole('link', { name: 'Eve' }));
  const card = within(await screen.findByRole('dialog', { name: 'Profile' }));
  card.getByText('eve');
});

test('a friend on the board of a center is one tap away', async () => {
  stubMap();
  const { user } = await openBoards(`/sport-centers/${POOL.id}`);
  await user.click(await screen.findByRole('link', { name: 'Eve' }));
  await screen.findByRole('dialog', { name: 'Profile' });
});

test('friends are two taps from Home', async () => {
  const dora = athlete('Dora', 4);
  const { user } = await openApp({
    path: '/dashboard',
    prepare: (server) => new FriendModel(server, NORA, [dora]).befriend(dora),
  });
  await screen.findByRole('heading', { name: 'Your first points are nearby' });
  await user.click(screen.getByRole('link', { name: 'Profile' }));
  await user.click(await main().findByRole('link', { name: /^Friends/ }));
  within(await friendsSection()).getByText('Dora');
});
