import { screen, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { setLanguages } from '../device/device.ts';
import { openApp } from '../open-app.ts';

const TABS = {
  Home: ['/dashboard', 'Hi, Nora'],
  'Sport Centers': ['/sport-centers', 'Sport Centers'],
  Ranks: ['/leaderboards', 'Ranks'],
  Profile: ['/profile', 'Profile'],
} as const;

test('a signed-in athlete moves by the bottom navigation, which says where they are, and / leads home [spec 2.nav.signed-in, 2.nav.home, 2.nav.sport-centers, 2.nav.ranks, 2.nav.profile, 2.root.signed-in]', async () => {
  const { user, reload } = await openApp({ path: '/' });
  await vi.waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  const bar = within(await screen.findByRole('navigation'));
  for (const [name, [path, title]] of Object.entries(TABS)) {
    await user.click(bar.getByRole('link', { name }));
    await screen.findByRole('heading', { level: 1, name: title });
    expect(window.location.pathname).toBe(path);
    expect(bar.getAllByRole('link', { current: 'page' })).toEqual([bar.getByRole('link', { name })]);
  }
  await reload('/');
  await screen.findByRole('heading', { level: 1, name: 'Hi, Nora' });
  expect(window.location.pathname).toBe('/dashboard');
});

test('the language is the browser’s if it is English or Spanish, else English; a choice is kept [spec 1.language.only-two, 5.language.two, 9.language.stored, 9.language.browser, 9.language.english]', async () => {
  const { user, reload } = await openApp({ as: null, path: '/login' });
  for (const [locale, language] of [
    ['es-MX', 'es'],
    ['en-US', 'en'],
    ['de-DE', 'en'],
  ] as const) {
    setLanguages(locale);
    document.documentElement.lang = '';
    await reload();
    await screen.findByRole('button', { name: language === 'es' ? 'Iniciar sesión' : 'Sign in' });
    expect(document.documentElement.lang).toBe(language);
  }
  setLanguages('en-GB');
  await reload();
  await user.click(await screen.findByRole('button', { name: 'Español' }));
  await screen.findByRole('button', { name: 'Iniciar sesión' });
  expect(document.documentElement.lang).toBe('es');
  expect(localStorage.getItem('preferred-language')).toBe('es');
  await reload();
  await screen.findByRole('button', { name: 'Iniciar sesión' });
  localStorage.setItem('preferred-language', 'fr');
  await reload();
  await screen.findByRole('button', { name: 'Sign in' });
  expect(document.documentElement.lang).toBe('en');
});
