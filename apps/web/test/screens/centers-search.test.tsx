import { searchSportCenters } from '@sendlap/contract/sport-centers.ts';
import { searchTowns } from '@sendlap/contract/towns.ts';
import { screen, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { readCopies } from '../device/copies.ts';
import {
  AQUATICS,
  CASTLE,
  CEBADA,
  findSearchField,
  goToTown,
  heading,
  MADRID_CENTERS,
  openCenters,
  rowNames,
  searchFor,
  searching,
  VAUXWALL,
  VIENNA_HALL,
  waitForAnswer,
} from '../scenes/center-scene.ts';

test('an athlete finds a town by its name in the other language, then narrows the list by sport, distance and words [spec 1.centers.find]', async () => {
  const phone = await openCenters({ language: 'es' });
  const { user } = phone;
  expect(heading()).toBe('En Madrid y alrededores');
  expect(rowNames()[0]).toBe(CEBADA.name);

  await goToTown(phone, 'Londres');
  expect(heading()).toBe('En Londres y alrededores');
  expect(await findSearchField()).toHaveProperty('value', 'Londres');
  expect(rowNames()).toEqual([VAUXWALL.name, CASTLE.name, AQUATICS.name]);

  await user.click(screen.getByRole('button', { name: 'Escalada' }));
  expect(screen.getByRole('button', { name: 'Escalada' }).getAttribute('aria-pressed')).toBe('true');
  await vi.waitFor(() => expect(rowNames()).toEqual([VAUXWALL.name, CASTLE.name]));
  await waitForAnswer();

  await user.selectOptions(screen.getByRole('combobox', { name: 'Distancia' }), '5');
  await vi.waitFor(() => expect(rowNames()).toEqual([VAUXWALL.name]));
  await waitForAnswer();
  expect(rowNames()).toEqual([VAUXWALL.name]);

  await searchFor(phone, 'cebada');
  expect(heading()).toBe('Resultados de «cebada»');
});

test('centers kept on the device are in the list before the server has answered, and its answer moves none of them', async () => {
  const phone = await openCenters();
  await vi.waitFor(async () => {
    const kept = await readCopies('sport_centers');
    expect(kept.length).toBeGreaterThanOrEqual(rowNames().length);
  });
  await phone.reload();
  await waitForAnswer();
  const held = phone.server.hold(searchSportCenters);
  await searchFor(phone, 'deportivo');
  await held.arrived;
  const names = MADRID_CENTERS.map(({ name }) => name).filter((name) => name.includes('Deportivo'));
  await vi.waitFor(() => expect(rowNames()).toEqual(names));
  expect(names).toHaveLength(2);
  expect(searching()).not.toBeNull();
  held.release();
  await vi.waitFor(() => expect(searching()).toBeNull());
  expect(rowNames()).toEqual(names);
});

test('the arrow keys walk through the towns suggested, which the field names to a screen reader, and Enter picks one', async () => {
  const phone = await openCenters();
  const { user } = phone;
  await searchFor(phone, 'vienna');
  const field = await findSearchField();
  const option = await within(await screen.findByRole('listbox')).findByRole('option', { name: /^Vienna/ });
  expect(field.getAttribute('aria-activedescendant')).toBeNull();
  await user.keyboard('{ArrowDown}');
  expect(option.getAttribute('aria-selected')).toBe('true');
  expect(field.getAttribute('aria-activedescendant')).toBe(option.id);
  expect(document.activeElement).toBe(field);
  await user.keyboard('{Enter}');
  await vi.waitFor(() => expect(heading()).toBe('Around Vienna'));
  await vi.waitFor(() => expect(rowNames()).toEqual([VIENNA_HALL.name]));
});

test('a center of the typed name is listed once, before the towns with a similar one', async () => {
  const celada = {
    id: 'geonames:1',
    name: 'Celada',
    name_es: null,
    country: 'PR',
    latitude: 18.27,
    longitude: -65.96,
    radius_km: 3,
    population: 4_435,
    match: 'typo' as const,
  };
  const phone = await openCenters({
    prepare: (server) => server.on(searchTowns, () => ({ items: [celada], next_cursor: null })),
  });
  await searchFor(phone, 'cebada');
  const town = await screen.findByRole('option', { name: /^Celada/ });
  const [center, ...others] = screen.getAllByRole('link', { name: new RegExp(CEBADA.name) });
  expect(others).toEqual([]);
  const isBeforeTown = (row: HTMLElement) => (row.compareDocumentPosition(town) & Node.DOCUMENT_POSITION_FOLLOWING) > 0;
  expect(center && isBeforeTown(center)).toBe(true);
});

test('a near center of the name is shown without far ones of the same name, which one tap adds', async () => {
  const phone = await openCenters();
  await searchFor(phone, 'climbing');
  await phone.user.click(await screen.findByRole('button', { name: 'Search for “climbing” instead' }));
  await vi.waitFor(() => expect(rowNames()).toEqual(['Sharma Climbing Madrid']));
  await screen.findByText('1 center');
  await phone.user.click(screen.getByRole('button', { name: 'Show results over 621 mi away too' }));
  await vi.waitFor(() => expect(rowNames()).toEqual(['Sharma Climbing Madrid', VAUXWALL.name, CASTLE.name]));
  await searchFor(phone, 'vauxwall');
  await vi.waitFor(() => expect(rowNames()).toEqual([VAUXWALL.name]));
  expect(screen.queryByRole('button', { name: /621 mi/ })).toBeNull();
});

test.each([
  ['en', 'climbng London', 'Climbing near London', 'Climbing', 'Search for “climbng London” instead'],
  ['es', 'escalda Londres', 'Escalada cerca de Londres', 'Escalada', 'Buscar «escalda Londres» tal cual'],
] as const)(
  'a sport and a town in one text, misspelt, are searched as what they mean, which can be undone (%s)',
  async (language, words, title, chip, undo) => {
    const phone = await openCenters({ language });
    await searchFor(phone, words);
    await vi.waitFor(() => expect(heading()).toBe(title));
    await vi.waitFor(() => expect(rowNames()).toEqual([VAUXWALL.name, CASTLE.name]));
    expect(screen.getByRole('button', { name: chip }).getAttribute('aria-pressed')).toBe('true');
    expect(await findSearchField()).toHaveProperty('value', words);

    await phone.user.click(screen.getByRole('button', { name: undo }));
    expect(heading()).toContain(words);
    expect(screen.getByRole('button', { name: chip }).getAttribute('aria-pressed')).toBe('false');
    await searchFor(phone, words);
    await vi.waitFor(() => expect(heading()).toBe(title));
  },
);

test('Enter turns the recognized words into the town and the filter, which then change as any other', async () => {
  const phone = await openCenters();
  await searchFor(phone, 'pool londn');
  await vi.waitFor(() => expect(heading()).toBe('Swimming near London'));
  await phone.user.keyboard('{Enter}');
  await vi.waitFor(() => expect(heading()).toBe('Around London'));
  expect(await findSearchField()).toHaveProperty('value', 'London');
  await vi.waitFor(() => expect(rowNames()).toEqual([AQUATICS.name]));
  await phone.user.click(screen.getByRole('button', { name: 'Swimming' }));
  await vi.waitFor(() => expect(rowNames()).toEqual([VAUXWALL.name, CASTLE.name, AQUATICS.name]));
});

test('without network a misspelt text is read with the towns that this device knows, and only with those', async () => {
  const phone = await openCenters();
  await goToTown(phone, 'London');
  await vi.waitFor(async () => expect(await readCopies('sport_centers')).toHaveLength(8));
  phone.setOnline(false);
  await searchFor(phone, 'pool londn');
  await vi.waitFor(() => expect(heading()).toBe('Swimming near London'));
  await vi.waitFor(() => expect(rowNames()).toEqual([AQUATICS.name]));
  await searchFor(phone, 'pool vienna');
  await screen.findByRole('heading', { name: 'Nothing found for “pool vienna”' });
  await searchFor(phone, 'latnia');
  await vi.waitFor(() => expect(rowNames()).toEqual(['Centro Deportivo La Latina']));
});

test('words of a name with a sport in it are searched as words, and a typing error in them is forgiven', async () => {
  const phone = await openCenters();
  await searchFor(phone, 'sharma climbing');
  await vi.waitFor(() => expect(rowNames()).toEqual([MADRID_CENTERS[2]?.name]));
  await waitForAnswer();
  expect(heading()).toBe('Results for “sharma climbing”');
  expect(screen.queryByText(/only similar/)).toBeNull();
  await searchFor(phone, 'sharmaa climbing');
  await screen.findByText('No center has exactly these words, only similar ones.');
  expect(rowNames()).toEqual([MADRID_CENTERS[2]?.name]);
});

test('a list headed by a town never includes far centers, and names the nearest one if none is near', async () => {
  const LISBON = { id: 'geonames:2267057', name: 'Lisbon', name_es: 'Lisboa', country: 'PT', population: 517_802 };
  const town = { ...LISBON, latitude: 38.7, longitude: -9.14, radius_km: 12, match: 'name' as const };
  const phone = await openCenters({
    prepare: (server) => server.on(searchTowns, () => ({ items: [town], next_cursor: null })),
  });
  expect(heading()).toBe('Around Madrid');
  expect(rowNames()).not.toContain(VIENNA_HALL.name);
  await searchFor(phone, 'lisboa');
  await vi.waitFor(() => expect(heading()).toBe('Nothing near Lisbon'));
  await screen.findByText(/^The nearest is in Madrid, Spain, \d{3} mi away\.$/);
  expect(screen.getByRole('combobox', { name: 'Distance' })).toHaveProperty('value', '');
  expect(rowNames()).not.toContain(AQUATICS.name);
  await phone.user.click(screen.getByRole('button', { name: 'Show results over 621 mi away too' }));
  await vi.waitFor(() => expect(rowNames()).toContain(VIENNA_HALL.name));
  expect(heading()).toBe('Nothing near Lisbon');
});

test.each([
  ['en', /^1,000\+ centers/],
  ['es', /^1000\+ centros/],
] as const)('a count that ends at 1,000 says that there are more (%s)', async (language, count) => {
  const page = { items: [CEBADA].map((center) => ({ ...center, distance_km: 1 })), next_cursor: null };
  await openCenters({
    language,
    prepare: (server) => server.on(searchSportCenters, () => ({ ...page, total: 1000, total_is_lower_bound: true })),
  });
  await screen.findByText(count);
});

test.each([
  ['en', 'Sport center not found', 'Nothing found for “zzzz”', 'All sport centers'],
  ['es', 'No se ha encontrado el centro', 'Nada para «zzzz»', 'Todos los centros'],
] as const)(
  'the address of a missing center and a search without results say so (%s) [spec 8.other.venue]',
  async (language, title, nothing, list) => {
    const phone = await openCenters({ language });
    await phone.reload('/sport-centers/00000000-0000-4000-8000-000000000099');
    await screen.findByText(title);
    expect(screen.queryByRole('button', { name: /^(Retry|Reintentar)$/ })).toBeNull();
    await phone.user.click(within(screen.getByRole('main')).getByRole('link', { name: list }));
    await waitForAnswer();
    await searchFor(phone, 'zzzz');
    await screen.findByRole('heading', { name: nothing });
  },
);
