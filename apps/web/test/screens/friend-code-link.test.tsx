import { encodeFriendCode, qrUrl } from '@sendlap/domain/qr-code.ts';
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { FriendModel } from '../models/friend-model.ts';
import { answerSignedIn } from '../models/signed-in.ts';
import { openApp } from '../open-app.ts';
import { EVE, NORA } from '../people.ts';
import { answerProvider, signInByProvider, signUpIntoNewTab } from '../scenes/provider.ts';

const link = new URL(qrUrl('https://sendlap.test', encodeFriendCode(EVE.public_id)));

test('the link of a friend code leads a visitor through the sign-in to that friend', async () => {
  let model: FriendModel | undefined;
  const phone = await openApp({
    as: null,
    path: link.pathname + link.search + link.hash,
    prepare: (server) => {
      answerSignedIn(server, NORA);
      answerProvider(server, NORA);
      model = new FriendModel(server, NORA, [EVE]);
    },
  });
  await screen.findByRole('button', { name: 'Sign in' });
  expect(window.location.pathname).toBe('/login');
  await signInByProvider(phone);
  const sheet = within(await screen.findByRole('dialog', { name: "A friend's code" }));
  await sheet.findByText('Eve');
  expect(window.location.pathname + window.location.hash).toBe('/qr/scan');
  await phone.user.click(sheet.getByRole('button', { name: 'Add friend' }));
  await sheet.findByText('Request sent');
  await waitFor(() => expect(model?.requests()).toEqual(['outgoing Eve']));
});

test('the link of a friend code survives a sign-up whose mail link opens in another tab', async () => {
  const phone = await openApp({
    as: null,
    path: link.pathname + link.search + link.hash,
    prepare: (server) => {
      answerSignedIn(server, NORA);
      answerProvider(server, NORA);
      new FriendModel(server, NORA, [EVE]);
    },
  });
  await signUpIntoNewTab(phone);
  const sheet = within(await screen.findByRole('dialog', { name: "A friend's code" }));
  await sheet.findByText('Eve');
});

test('a code whose id no user has offers another scan, and no retry that would find no one again', async () => {
  await openApp({
    as: NORA,
    path: link.pathname + link.search + link.hash,
    prepare: (server) => {
      answerSignedIn(server, NORA);
      new FriendModel(server, NORA, []);
    },
  });
  const sheet = within(await screen.findByRole('dialog', { name: "A friend's code" }));
  expect((await sheet.findByRole('alert')).textContent).toBe('User not found');
  sheet.getByRole('button', { name: 'Scan again' });
  expect(sheet.queryByRole('button', { name: 'Retry' })).toBeNull();
});
