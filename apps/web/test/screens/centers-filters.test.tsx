import { getSportCenterFilterOptions, searchSportCenters } from '@sendlap/contract/sport-centers.ts';
import { screen, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { readCopies } from '../device/copies.ts';
import type { Phone } from '../open-app.ts';
import {
  AQUATICS,
  CASTLE,
  CEBADA,
  findSearchField,
  goToTown,
  heading,
  openCenters,
  rowNames,
  searchFor,
  VAUXWALL,
  VIENNA_HALL,
  waitForAnswer,
} from '../scenes/center-scene.ts';

const LONDON_NAMES = [CASTLE.name, VAUXWALL.name, AQUATICS.name];

const countryChip = () => screen.findByRole<HTMLSelectElement>('combobox', { name: /^(Country|País)$/ });
const cityChip = () => screen.findByRole<HTMLSelectElement>('combobox', { name: /^(City|Ciudad)$/ });
const optionNames = (select: HTMLElement) =>
  within(select)
    .getAllByRole('option')
    .map(({ textContent }) => textContent);

/** Chooses an option once the app offers it. */
async function choose({ user }: Phone, select: HTMLSelectElement, value: string): Promise<void> {
  await vi.waitFor(() => expect([...select.options].map((option) => option.value)).toContain(value));
  await user.selectOptions(select, value);
}

/** Expects these rows, in any order: from Madrid, all of a far city are about as near. */
async function expectRows(names: string[]): Promise<void> {
  await vi.waitFor(() => expect(rowNames().toSorted()).toEqual(names.toSorted()));
}

test.each([
  ['en', 'No center matches your filters', 'Your filters: Swimming and Austria.', 'Clear filters', 'Swimming'],
  ['es', 'Ningún centro cumple tus filtros', 'Tus filtros: Natación y Austria.', 'Quitar filtros', 'Natación'],
] as const)(
  'filters that find no center are named, and one tap clears them all (%s)',
  async (language, title, filters, clear, sport) => {
    const phone = await openCenters({ language });
    const { user } = phone;
    await user.click(screen.getByRole('button', { name: sport }));
    await choose(phone, await countryChip(), 'AT');
    await screen.findByRole('heading', { name: title });
    screen.getByText(filters);
    await user.click(screen.getByRole('button', { name: clear }));
    await waitForAnswer();
    expect(rowNames()[0]).toBe(CEBADA.name);
    expect(window.location.search).toBe('');
    expect((await countryChip()).value).toBe('');
  },
);

test('a city that the text is not found in is named below the text', async () => {
  const phone = await openCenters({ path: '/sport-centers?city=wien' });
  expect(rowNames()).toEqual([VIENNA_HALL.name]);
  await searchFor(phone, 'zzzz');
  await screen.findByRole('heading', { name: 'Nothing found for “zzzz”' });
  screen.getByText('Your filters: wien.');
  await phone.user.clear(await findSearchField());
  await expectRows([VIENNA_HALL.name]);
});

test.each([
  ['en', ['Any country', 'Austria', 'Spain', 'United Kingdom'], 'Any country'],
  ['es', ['Cualquier país', 'Austria', 'España', 'Reino Unido'], 'Cualquier país'],
] as const)(
  'a country is chosen by its name, its cities follow, and a reload keeps it (%s)',
  async (language, names, any) => {
    const phone = await openCenters({ language });
    const { user } = phone;
    await vi.waitFor(async () => expect(optionNames(await countryChip())).toEqual(names));
    await choose(phone, await countryChip(), 'GB');
    await expectRows(LONDON_NAMES);
    expect(heading()).toBe(names[3]);
    expect(window.location.search).toBe('?country=GB');
    expect(optionNames(await cityChip()).slice(1)).toEqual(['London']);

    await choose(phone, await cityChip(), 'London');
    await vi.waitFor(() => expect(heading()).toBe(`London, ${names[3]}`));
    expect(window.location.search).toBe('?country=GB&city=London');
    await phone.reload();
    await waitForAnswer();
    await expectRows(LONDON_NAMES);
    expect((await cityChip()).value).toBe('London');

    await user.click(screen.getByRole('button', { name: any }));
    expect(document.activeElement).toBe(await countryChip());
    await vi.waitFor(() => expect(heading()).toBe('London'));
    expect(window.location.search).toBe('?city=London');
  },
);

test('a country replaces a town and its radius, and a town replaces a country', async () => {
  const phone = await openCenters();
  await goToTown(phone, 'London');
  await choose(phone, await countryChip(), 'AT');
  await expectRows([VIENNA_HALL.name]);
  expect(await findSearchField()).toHaveProperty('value', '');
  expect(screen.getByRole('combobox', { name: 'Distance' })).toHaveProperty('value', '');
  // Vienna is farther away than what a list around Madrid would hide.
  expect(screen.queryByRole('button', { name: /621 mi/ })).toBeNull();

  await goToTown(phone, 'Barcelona');
  expect(heading()).toBe('Around Barcelona');
  expect((await countryChip()).value).toBe('');
});

test('another country removes a city that it does not have', async () => {
  const phone = await openCenters({ path: '/sport-centers?country=GB&city=London' });
  await expectRows(LONDON_NAMES);
  await choose(phone, await countryChip(), 'AT');
  await expectRows([VIENNA_HALL.name]);
  expect((await cityChip()).value).toBe('');
});

test('without network the filters list the centers on this device, and find them', async () => {
  const phone = await openCenters();
  await goToTown(phone, 'London');
  await vi.waitFor(async () => expect(await readCopies('sport_centers')).toHaveLength(8));
  phone.setOnline(false);
  await phone.reload('/sport-centers');
  await waitForAnswer();
  await vi.waitFor(async () => expect(optionNames(await countryChip())).toContain('United Kingdom'));
  await choose(phone, await countryChip(), 'GB');
  await expectRows(LONDON_NAMES);
  await screen.findByText(/^Offline, saved /);
  await phone.user.click(screen.getByRole('button', { name: 'Climbing' }));
  await expectRows([CASTLE.name, VAUXWALL.name]);

  await phone.reload('/sport-centers?country=FR');
  await screen.findByRole('heading', { name: 'No center matches your filters' });
  screen.getByText(
    "Your filters: France. You're offline, so only the centers saved on this device were looked through.",
  );
});

test('a server that cannot list its countries leaves those of the list', async () => {
  const phone = await openCenters({
    prepare: (server) => server.refuse(getSportCenterFilterOptions, 'internal_error'),
  });
  await vi.waitFor(async () => expect(optionNames(await countryChip())).toContain('Spain'));
  await choose(phone, await countryChip(), 'ES');
  await vi.waitFor(() => expect(heading()).toBe('Spain'));
  expect(phone.server.asked(searchSportCenters).at(-1)?.query).toMatchObject({ country: 'ES' });
});
