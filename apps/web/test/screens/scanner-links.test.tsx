import { listMyRefereeRights, type RefereeRight, redeemRefereeInvite } from '@sendlap/contract/referees.ts';
import { encodeFriendCode, encodeInviteCode } from '@sendlap/domain/qr-code.ts';
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { FriendModel } from '../models/friend-model.ts';
import { POOL } from '../models/pool.ts';
import { openApp } from '../open-app.ts';
import { NORA } from '../people.ts';
import { pathOfCode } from '../scenes/scanner-scene.ts';

const INVITE = { name: 'An invite to be a referee' };
const SECRET = 'one-time-secret';

const findInvite = async () => within(await screen.findByRole('dialog', INVITE));

test('a code that the phone’s own camera read opens at its place, and stays in no address', async () => {
  await openApp({
    path: pathOfCode(encodeFriendCode('nina.climbs')),
    prepare: (server) => void new FriendModel(server, NORA, []),
  });
  const sheet = await screen.findByRole('dialog', { name: "A friend's code" });
  await within(sheet).findByText('nina.climbs');
  expect(window.location.pathname).toBe('/qr/scan');
  expect(window.location.hash).toBe('');
});

test('a damaged link says that its code cannot be read, and leads to the camera', async () => {
  const { user } = await openApp({ path: '/qr/scan#AQIDBAUGBwgJ' });
  const sheet = within(await screen.findByRole('dialog', { name: "This code can't be read" }));
  sheet.getByText('The link is damaged, or it is not from Sendlap. Scan the code itself.');
  expect(window.location.hash).toBe('');
  await user.click(sheet.getByRole('button', { name: 'Scan again' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test.each([
  ['of an invite', pathOfCode(encodeInviteCode(SECRET)), 1],
  ['of a friend', pathOfCode(encodeFriendCode('nina.climbs')), 1],
  ['no code', '/profile', 0],
])('the sign-in page says that the code of a link is kept: %s', async (_name, path, notices) => {
  await openApp({ as: null, path });
  await screen.findByRole('button', { name: 'Sign in' });
  const notice = 'Sign in or create an account: then the code that you opened is shown.';
  expect(screen.queryAllByText(notice)).toHaveLength(notices);
});

test('an invite makes a referee, and the profile says where', async () => {
  const right: RefereeRight = {
    sport_center_id: POOL.id,
    sport_center_name: POOL.name,
    sport_types: ['swimming'],
    valid_until: null,
  };
  const { server, user, reload } = await openApp({
    path: pathOfCode(encodeInviteCode(SECRET)),
    prepare: (server) => {
      server.on(redeemRefereeInvite, () => {
        server.on(listMyRefereeRights, () => ({ items: [right], next_cursor: null }));
        return right;
      });
    },
  });
  const sheet = await findInvite();
  await user.click(sheet.getByRole('button', { name: 'Accept' }));
  await sheet.findByRole('heading', { name: `You are a referee at ${POOL.name}` });
  sheet.getByText('Swimming');
  expect(server.asked(redeemRefereeInvite).map(({ body }) => body)).toEqual([{ code: SECRET }]);
  await reload('/profile');
  await screen.findByText(POOL.name);
});

test.each([
  ['invite_invalid', 'This invite was used already or has expired. Ask for a new one.'],
  ['invite_unknown', "We don't know this invite. Check its code letter by letter."],
] as const)('an invite that the server refuses as %s says so', async (code, text) => {
  const { user } = await openApp({
    path: pathOfCode(encodeInviteCode(SECRET)),
    prepare: (server) => server.refuse(redeemRefereeInvite, code),
  });
  const sheet = await findInvite();
  await user.click(sheet.getByRole('button', { name: 'Accept' }));
  expect((await sheet.findByRole('alert')).textContent).toBe(text);
});
