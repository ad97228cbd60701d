import { screen } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { stubMap } from '../device/stub-map.ts';
import { answerCenter, POOL } from '../models/pool.ts';
import { openApp } from '../open-app.ts';
import { openCenters, searchFor } from '../scenes/center-scene.ts';

test('the list can be read with the map in sight, which is covered only while the user types', async () => {
  const phone = await openCenters();
  const sheet = () =>
    screen.getByRole('button', { name: /^Show the (list|map)$/ }).closest<HTMLElement>('[style]')?.style.height;
  expect(sheet()).toBe('52%');
  await phone.user.click(screen.getByRole('button', { name: 'Show the list' }));
  // The height of the search on a typical phone, and eight lines of the map.
  expect(sheet()).toBe('calc(100% - 252px)');
  await searchFor(phone, 'castle');
  expect(sheet()).toBe('100%');
  await phone.user.click(screen.getByRole('button', { name: 'Show the map' }));
  expect(sheet()).toBe('52%');
});

test('where the map cannot be drawn it says so, without buttons that would zoom it', async () => {
  await openCenters({
    prepare: () =>
      stubMap(() => {
        throw new Error('no WebGL');
      }),
  });
  await screen.findByText(/^The map could not be shown on this device\./);
  expect(screen.queryByRole('button', { name: 'Zoom in' })).toBeNull();
});

test.each([
  ['en', 'The map could not be shown on this device. The address is below.', '© OpenStreetMap contributors'],
  [
    'es',
    'No se ha podido mostrar el mapa en este dispositivo. La dirección está debajo.',
    '© Colaboradores de OpenStreetMap',
  ],
] as const)(
  "a center's page whose map cannot be drawn leads to the address, without a list or authors of a map, in %s",
  async (language, text, authors) => {
    await openApp({
      language,
      path: `/sport-centers/${POOL.id}`,
      prepare: (server) => {
        answerCenter(server);
        stubMap(() => {
          throw new Error('no WebGL');
        });
      },
    });
    await screen.findByText(text);
    expect(screen.queryByRole('link', { name: new RegExp(authors) })).toBeNull();
  },
);
