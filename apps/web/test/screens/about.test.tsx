import { screen, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { SOURCES } from '#web/features/about/AboutPage.tsx';
import { openApp } from '../open-app.ts';

test.each([
  ['en', null, '/login', 'About Sendlap', 'Software of others in this app'],
  ['es', undefined, '/profile', 'Acerca de Sendlap', 'Software de terceros en esta app'],
] as const)('the licences of software and data are one tap away, in %s', async (language, as, path, about, others) => {
  vi.stubEnv('VITE_VERSION', '9.8.7');
  const { user } = await openApp({ language, path, ...(as === null ? { as } : {}) });
  await user.click(await screen.findByRole('link', { name: new RegExp(`^${about}`) }));
  await screen.findByRole('heading', { level: 1, name: about });
  const main = within(screen.getByRole('main'));
  main.getByText(/9\.8\.7$/);
  expect(main.getByRole('link', { name: /AGPL-3\.0-or-later/ }).getAttribute('href')).toBe('/license.txt');
  expect(main.getByRole('link', { name: others }).getAttribute('href')).toBe('/third-party-licenses.txt');
  const links = main.getAllByRole('link').map((link) => link.getAttribute('href'));
  main.getByText(/\(2018\)/);
  for (const { href, licence_href } of SOURCES) expect(links).toEqual(expect.arrayContaining([href, licence_href]));
  expect(main.getByRole('link', { name: 'GeoNames' }).getAttribute('href')).toBe('https://www.geonames.org/');
});
