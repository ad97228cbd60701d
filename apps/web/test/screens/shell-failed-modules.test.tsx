import { screen, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { delayModuleLoad, failModuleLoad } from '../device/module-loading.ts';
import { openApp } from '../open-app.ts';
import { followLink } from '../scenes/follow-link.ts';

const NOT_LOADED = 'This part could not be loaded. Check your connection.';

test.each([
  { language: 'en', title: 'Something went wrong', reload: 'Reload Page', dashboard: 'Go to Dashboard' },
  { language: 'es', title: 'Algo ha salido mal', reload: 'Recargar la página', dashboard: 'Ir al inicio' },
] as const)(
  'a screen that cannot be loaded shows the error screen in $language [spec 2.error.title, 2.error.reload, 2.error.dashboard, 2.error.spanish]',
  async ({ language, title, ...names }) => {
    const code = failModuleLoad('#web/app/screens/ProfileScreen.tsx');
    const { user, departures, reload } = await openApp({ path: '/profile', language });
    await screen.findByRole('heading', { name: title });
    await user.click(screen.getByRole('button', { name: names.dashboard }));
    await user.click(screen.getByRole('button', { name: names.reload }));
    expect(departures.list).toEqual(['/dashboard', 'reload']);
    code.setMissing(false);
    await reload();
    await screen.findByRole('heading', { level: 1, name: language === 'en' ? 'Profile' : 'Perfil' });
    expect(screen.queryByRole('heading', { name: title })).toBe(null);
  },
);

test('a part and a screen whose code does not come leave the rest in place, and come when Retry asks for them', async () => {
  const card = failModuleLoad('#web/features/notifications/NotificationsCard.tsx');
  const friends = failModuleLoad('#web/app/screens/FriendsScreen.tsx');
  const { user, reload } = await openApp({ path: '/profile' });
  await screen.findByText(NOT_LOADED);
  screen.getByRole('heading', { level: 2, name: 'Settings' });
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: /^Friends/ }));
  await screen.findByRole('heading', { level: 1, name: 'Something went wrong' });
  screen.getByText(NOT_LOADED);
  // Other screens still work.
  const bar = within(screen.getByRole('navigation'));
  await user.click(bar.getByRole('link', { name: /^Profile/ }));
  await screen.findByRole('heading', { level: 1, name: 'Profile' });
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: /^Friends/ }));
  await user.click(await screen.findByRole('button', { name: 'Retry' }));
  friends.setMissing(false);
  await user.click(await screen.findByRole('button', { name: 'Retry' }));
  await screen.findByRole('heading', { level: 1, name: 'Friends' });

  await reload('/profile');
  const retry = await screen.findByRole('button', { name: 'Retry' });
  retry.focus();
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe(retry);
  // A press during the request does nothing.
  await vi.waitFor(() => expect(retry.getAttribute('aria-busy')).not.toBe('true'));
  screen.getByText(NOT_LOADED);
  card.setMissing(false);
  await user.keyboard('{Enter}');
  await screen.findByRole('heading', { level: 2, name: 'Notifications' });
  expect(screen.queryByText(NOT_LOADED)).toBe(null);
});

test.each([
  ['en', "You're offline", 'Friends', 'Go to Dashboard'],
  ['es', 'Estás sin conexión', 'Amigos', 'Ir al inicio'],
] as const)(
  'without a network a screen that this device does not have says so, and opens with the network, in %s',
  async (language, title, friends, home) => {
    const code = failModuleLoad('#web/app/screens/FriendsScreen.tsx');
    const phone = await openApp({ path: '/profile', language });
    await screen.findByRole('heading', { level: 1 });
    phone.setOnline(false);
    followLink('/friends');
    const problem = within(await screen.findByRole('alert'));
    await problem.findByRole('heading', { level: 1, name: title });
    expect(problem.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([home]);
    code.setMissing(false);
    phone.setOnline(true);
    await screen.findByRole('heading', { level: 1, name: friends });
  },
);

test('a screen whose code takes more than five seconds to come says that it still loads', async () => {
  const release = delayModuleLoad('#web/app/screens/ProfileScreen.tsx');
  const phone = await openApp({ path: '/profile', now: '2026-11-20T10:00:00Z' });
  await screen.findByRole('status', { name: 'Loading' });
  await phone.passTime(5_000);
  const still_loads = 'This takes longer than usual. Still trying.';
  await screen.findByText(still_loads);
  release();
  await screen.findByRole('heading', { level: 1, name: 'Profile' });
  expect(screen.queryByText(still_loads)).toBeNull();
});
