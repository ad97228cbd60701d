import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import type { Town } from '@sendlap/contract/towns.ts';
import type { Position } from '@sendlap/domain/geo.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import { screen, within } from '@testing-library/dom';
import { expect, vi } from 'vitest';
import { center } from '#test/unit/fake-center.ts';
import { stubMap } from '../device/stub-map.ts';
import { setTimeZone } from '../device/time-zone.ts';
import { CenterModel } from '../models/center-model.ts';
import type { FakeServer } from '../models/fake-server.ts';
import { openApp, type Phone } from '../open-app.ts';

const at = (latitude: number, longitude: number): Position => ({ latitude, longitude });

/** A center in a town, for one sport. */
function centerOf(number: number, city: string, country: string, type: Sport, name: string, position: Position) {
  const made = center(number, { name, city, country, ...position });
  return { ...made, sport_facilities: made.sport_facilities.map((facility) => ({ ...facility, type })) };
}

export const CEBADA = centerOf(11, 'Madrid', 'ES', 'swimming', 'Centro Deportivo La Cebada', at(40.411, -3.709));
export const MADRID_CENTERS: SportCenter[] = [
  CEBADA,
  centerOf(12, 'Madrid', 'ES', 'swimming', 'Centro Deportivo La Latina', at(40.4, -3.74)),
  centerOf(13, 'Madrid', 'ES', 'climbing', 'Sharma Climbing Madrid', at(40.44, -3.65)),
];
export const AQUATICS = centerOf(21, 'London', 'GB', 'swimming', 'London Aquatics Centre', at(51.5403, -0.0106));
/** 7 km from the center of London. */
export const CASTLE = centerOf(22, 'London', 'GB', 'climbing', 'The Castle Climbing Centre', at(51.5653, -0.0926));
/** 3 km from the center of London. */
export const VAUXWALL = centerOf(23, 'London', 'GB', 'climbing', 'VauxWall Climbing Centre', at(51.4857, -0.123));
const BARCELONA_POOL = centerOf(31, 'Barcelona', 'ES', 'swimming', 'Piscina Bernat Picornell', at(41.3643, 2.1516));
export const VIENNA_HALL = centerOf(41, 'Wien', 'AT', 'climbing', 'Kletterhalle Wien', at(48.2, 16.44));
export const CENTERS = [...MADRID_CENTERS, AQUATICS, CASTLE, VAUXWALL, BARCELONA_POOL, VIENNA_HALL];

const LONDON: Town = {
  id: 'geonames:2643743',
  name: 'London',
  name_es: 'Londres',
  country: 'GB',
  ...at(51.5085, -0.1257),
  radius_km: 25,
  population: 8_961_989,
};
const BARCELONA: Town = {
  ...LONDON,
  id: 'geonames:3128760',
  name: 'Barcelona',
  name_es: null,
  country: 'ES',
  ...at(41.3888, 2.159),
  population: 1_620_343,
};
const VIENNA: Town = {
  ...LONDON,
  id: 'geonames:2761369',
  name: 'Vienna',
  name_es: 'Viena',
  country: 'AT',
  ...at(48.2085, 16.3721),
  population: 1_691_468,
};

/** Answers with centers in four towns, three of which can be found by name. */
export function answerTowns(server: FakeServer): void {
  new CenterModel(server, CENTERS, [LONDON, BARCELONA, VIENNA]);
}

type AppOptions = NonNullable<Parameters<typeof openApp>[0]>;

/** Opens the screen of centers as on a device in Madrid. */
export async function openCenters({ prepare, ...options }: AppOptions = {}): Promise<Phone> {
  setTimeZone('Europe/Madrid');
  stubMap();
  const phone = await openApp({
    path: '/sport-centers',
    ...options,
    prepare(server) {
      answerTowns(server);
      prepare?.(server);
    },
  });
  await waitForAnswer();
  return phone;
}

export const findSearchField = (): Promise<HTMLInputElement> =>
  screen.findByRole('combobox', { name: /^(Search by name or city|Busca por nombre o ciudad)$/ });

/** Replaces the words in the search field. */
export async function searchFor({ user }: Pick<Phone, 'user'>, words: string): Promise<void> {
  const field = await findSearchField();
  await user.clear(field);
  await user.type(field, words);
}

/** Picks the town suggested for these words, and waits for its centers. */
export async function goToTown(phone: Pick<Phone, 'user'>, words: string): Promise<void> {
  await searchFor(phone, words);
  // The cities of a filter are options too.
  const town = await within(await screen.findByRole('listbox')).findByRole('option', { name: new RegExp(`^${words}`) });
  await phone.user.click(town);
  await vi.waitFor(() => expect(screen.queryByRole('listbox')).toBeNull());
  await waitForAnswer();
}

/** The heading of the list. */
export const heading = () => screen.getAllByRole('heading', { level: 2 })[0]?.textContent;

const list = () => screen.queryByRole('list', { name: /^(Sport centers|Centros deportivos)/ });

/** Returns the names in the list from the top. */
export function rowNames(): string[] {
  const names = [...CENTERS].map(({ name }) => name);
  const shown = list();
  if (!shown) return [];
  const rows = within(shown).queryAllByRole('link');
  return rows.map((row) => names.find((name) => row.textContent?.includes(name)) ?? `unknown: ${row.textContent}`);
}

export const searching = () => screen.queryByText(/^(Searching…|Buscando…)$/);

/** Waits until the list shows the rows of the server's answer. */
export async function waitForAnswer(): Promise<void> {
  await vi.waitFor(() => {
    expect(rowNames()).not.toEqual([]);
    expect(searching()).toBeNull();
  });
}
