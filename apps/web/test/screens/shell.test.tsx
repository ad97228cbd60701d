import { screen } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { openApp } from '../open-app.ts';

test('a visitor of a signed-in screen is sent to sign in', async () => {
  await openApp({ as: null, path: '/profile' });
  await screen.findByRole('button', { name: 'Sign in' });
  expect(window.location.pathname).toBe('/login');
});

test('an athlete moves by the bottom navigation', async () => {
  const { user } = await openApp();
  await user.click(await screen.findByRole('link', { name: 'Ranks' }));
  await screen.findByRole('heading', { level: 1, name: 'Ranks' });
  expect(window.location.pathname).toBe('/leaderboards');
});

test('without a network the app opens with what it has saved', async () => {
  const phone = await openApp();
  await screen.findByRole('heading', { level: 1 });
  phone.setOnline(false);
  await phone.reload();
  await screen.findByText(/offline/i);
});
