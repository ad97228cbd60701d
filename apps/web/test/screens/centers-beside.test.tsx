import { getSportCenter, type SportCenter, searchSportCenters } from '@sendlap/contract/sport-centers.ts';
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { stubPageScroll } from '../device/page-scroll.ts';
import { stubMap } from '../device/stub-map.ts';
import { widenScreen } from '../device/wide-screen.ts';
import { openApp } from '../open-app.ts';
import {
  answerTowns,
  CEBADA,
  findSearchField,
  MADRID_CENTERS,
  openCenters,
  rowNames,
  searchFor,
  waitForAnswer,
} from '../scenes/center-scene.ts';

const [, LATINA = CEBADA, SHARMA = CEBADA] = MADRID_CENTERS;
const MISSING = '/sport-centers/00000000-0000-4000-8000-000000000099';
const pathOf = ({ id }: SportCenter) => `/sport-centers/${id}`;

const title = (name: string) => screen.findByRole('heading', { level: 1, name });
const listBeside = (name = 'Sport Centers') => screen.getByRole('navigation', { name });
const list = () => screen.getByRole('list', { name: /^(Sport centers|Centros deportivos)/ });
const rows = () => within(list()).getAllByRole('link');
const row = ({ name }: SportCenter) => rows().find((link) => link.textContent.includes(name)) as HTMLElement;
const marks = () => rows().map((link) => link.getAttribute('aria-current'));

test('below 900 px the center chosen from the list fills the screen', async () => {
  const { user } = await openCenters();
  await user.click(row(LATINA));
  await title(LATINA.name);
  expect(screen.queryByRole('combobox', { name: 'Search by name or city' })).toBeNull();
  expect(location.search).toBe('');
});

test('in a wide window an unknown center shows “not found” beside the list, which still opens centers', async () => {
  widenScreen();
  const { user } = await openCenters({ path: MISSING });
  await screen.findByRole('heading', { name: 'Sport center not found' });
  expect(marks().every((mark) => mark === null)).toBe(true);
  await user.click(row(LATINA));
  await title(LATINA.name);
  expect(screen.queryByRole('heading', { name: 'Sport center not found' })).toBeNull();
});

test('in a wide window a list that cannot be read leaves the center beside it alone, and is read again', async () => {
  widenScreen();
  stubMap();
  const { server, user } = await openApp({
    path: pathOf(LATINA),
    prepare: (fake) => {
      answerTowns(fake);
      fake.refuse(searchSportCenters, 'validation_failed');
    },
  });
  await title(LATINA.name);
  const beside = within(await screen.findByRole('navigation', { name: 'Sport Centers' }));
  const alert = await beside.findByRole('alert');
  within(alert).getByText('The centers could not be loaded');
  server.heal(searchSportCenters);
  await user.click(within(alert).getByRole('button', { name: 'Retry' }));
  await waitForAnswer();
  await title(LATINA.name);
});

test('in a wide window a center that cannot be read leaves the list beside it alone', async () => {
  widenScreen();
  const { user } = await openCenters({
    path: pathOf(LATINA),
    prepare: (fake) => fake.refuse(getSportCenter, 'validation_failed'),
  });
  await screen.findByRole('heading', { name: 'Sport center not found' });
  await searchFor({ user }, 'zzzz');
  await within(listBeside()).findByRole('heading', { name: 'Nothing found for “zzzz”' });
});

test('in a wide window the chosen center replaces the map beside the unchanged list, and one Back brings the map', async () => {
  widenScreen();
  const page = stubPageScroll();
  const { user } = await openCenters();
  expect(document.title).toBe('Sport Centers · Sendlap');
  expect(screen.queryByRole('navigation', { name: 'Sport Centers' })).toBeNull();
  expect(screen.queryByText('What you choose in the list appears here.')).toBeNull();
  const before = list();
  const locate = await screen.findByRole('button', { name: 'Show where I am' });

  await user.click(row(LATINA));
  const name = await title(LATINA.name);
  await waitFor(() => expect(document.activeElement).toBe(name));
  expect(document.title).toBe(`${LATINA.name} · Sendlap`);
  expect(screen.getAllByRole('button', { name: 'Back' })).toHaveLength(1);
  expect(screen.queryByRole('button', { name: 'Show where I am' })).toBeNull();
  expect(list()).toBe(before);
  expect(marks().filter(Boolean)).toEqual(['page']);
  expect(row(LATINA).getAttribute('aria-current')).toBe('page');

  await user.click(screen.getByRole('button', { name: 'Climbing' }));
  await waitFor(() => expect(rowNames()).toEqual([SHARMA.name]));
  await waitForAnswer();
  await waitFor(() => expect(location.search).toBe('?sport=climbing'));
  page.top = 300;
  await user.click(row(SHARMA));
  const other = await title(SHARMA.name);
  await waitFor(() => expect(document.activeElement).toBe(other));
  expect(page.top).toBe(0);

  await user.click(screen.getByRole('button', { name: 'Back' }));
  await title('Sport Centers');
  expect(screen.getByRole('button', { name: 'Show where I am' })).toBe(locate);
  await waitFor(() => expect(location.href).toMatch(/\/sport-centers\?sport=climbing$/));
  expect(rowNames()).toEqual([SHARMA.name]);
  await waitFor(() => expect(document.activeElement).toBe(row(SHARMA)));
});

test('in a wide window the address of a center alone has the list beside it, with its search after a reload, and the way to the map, in Spanish too', async () => {
  widenScreen();
  const phone = await openCenters({ path: `${pathOf(SHARMA)}?sport=climbing`, language: 'es' });
  await title(SHARMA.name);
  const beside = within(listBeside('Centros deportivos'));
  expect(beside.getByRole('button', { name: 'Escalada' }).getAttribute('aria-pressed')).toBe('true');
  expect(rowNames()[0]).toBe(SHARMA.name);
  expect(marks()[0]).toBe('page');
  await phone.user.click(beside.getByRole('link', { name: 'Ver el mapa' }));
  await title('Centros deportivos');
  expect(location.search).toBe('?sport=climbing');
  await screen.findByRole('button', { name: 'Mostrar dónde estoy' });
});

test('without network the list beside a center has the copies of the device', async () => {
  widenScreen();
  const phone = await openCenters();
  await phone.user.click(row(LATINA));
  await title(LATINA.name);
  phone.setOnline(false);
  await searchFor(phone, 'sharma');
  await within(listBeside()).findByText(/^Offline, saved/);
  await waitFor(() => expect(rowNames()).toEqual([SHARMA.name]));
});

test('a tablet that is turned keeps the search as it is, and the center that is open', async () => {
  const turn = widenScreen();
  const { user } = await openCenters();
  const field = await findSearchField();
  turn();
  expect(await findSearchField()).toBe(field);
  await user.click(row(LATINA));
  await title(LATINA.name);
  turn();
  await waitFor(() => expect(listBeside()).toBeDefined());
  await title(LATINA.name);
});
