import { type BoundingBox, isPosition } from '@sendlap/domain/geo.ts';
import { SPORTS, type Sport } from '@sendlap/domain/sports.ts';

/** A town in an address: its id, and its name for a device that does not know the town. */
export interface TownReference {
  id: string;
  name: string;
}

/** What a search limits the centers to. */
export interface SearchLimits {
  q: string;
  sport: Sport | null;
  /** Leaves out centers that are known to be private. */
  open_to_all: boolean;
  /** ISO 3166-1 alpha-2, in capitals. */
  country: string | null;
  /** A part of the city's name, as the centers' addresses have it. */
  city: string | null;
  /** null: no limit. */
  radius_km: number | null;
  /** A map area that the user searched; takes precedence over the radius. */
  box: BoundingBox | null;
}

export interface SearchUrlState extends SearchLimits {
  /** In the address as `place` and `place_id`: saved and shared links have these names. */
  town: TownReference | null;
  /** Search around the device; the address never contains the position. */
  near_me: boolean;
}

export type Region = Pick<SearchUrlState, 'country' | 'city'>;

/** Whether a search is limited to a country or a city. */
export function hasRegion({ country, city }: Region): boolean {
  return country !== null || city !== null;
}

const MAX_TEXT_LENGTH = 120;
const MAX_RADIUS_KM = 500;
/** About 10 m: a box is an area that the user looked at, not the user's position. */
const BOX_DIGITS = 4;

/** Returns the search in a query string ('q=roca&sport=climbing'). Ignores invalid parts. */
export function parseSearch(address: string): SearchUrlState {
  const fields = new URLSearchParams(address);
  const sport = fields.get('sport');
  const country = fields.get('country') ?? '';
  const name = read(fields, 'place');
  return {
    q: read(fields, 'q'),
    sport: SPORTS.find((known) => known === sport) ?? null,
    open_to_all: fields.get('open') === '1',
    country: /^[A-Za-z]{2}$/.test(country) ? country.toUpperCase() : null,
    city: read(fields, 'city') || null,
    radius_km: readRadius(fields.get('km')),
    box: readBox(fields.get('area')),
    town: name === '' ? null : { id: read(fields, 'place_id'), name },
    near_me: fields.get('near') === 'me',
  };
}

/** Returns the query string of a search, '' for the default search. */
export function formatSearch(search: SearchUrlState): string {
  const { q, sport, open_to_all, country, city, radius_km, box, town, near_me } = search;
  const fields = new URLSearchParams();
  if (q.trim() !== '') fields.set('q', q.trim());
  if (town) fields.set('place', town.name);
  if (town?.id) fields.set('place_id', town.id);
  if (near_me) fields.set('near', 'me');
  if (sport) fields.set('sport', sport);
  if (open_to_all) fields.set('open', '1');
  if (country) fields.set('country', country);
  if (city) fields.set('city', city);
  if (radius_km !== null) fields.set('km', String(radius_km));
  if (box) {
    const edges = [box.west, box.south, box.east, box.north];
    fields.set('area', edges.map((edge) => Number(edge.toFixed(BOX_DIGITS))).join(','));
  }
  return fields.toString();
}

function read(fields: URLSearchParams, name: string): string {
  return (fields.get(name) ?? '').slice(0, MAX_TEXT_LENGTH).trim();
}

function readRadius(text: string | null): number | null {
  const radius_km = Number(text);
  return text && radius_km > 0 && radius_km <= MAX_RADIUS_KM ? radius_km : null;
}

function readBox(text: string | null): BoundingBox | null {
  if (!text || !/^-?[\d.]+(,-?[\d.]+){3}$/.test(text)) return null;
  const [west = Number.NaN, south = Number.NaN, east = Number.NaN, north = Number.NaN] = text.split(',').map(Number);
  const areCorners =
    isPosition({ latitude: south, longitude: west }) && isPosition({ latitude: north, longitude: east });
  return areCorners && south <= north ? { west, south, east, north } : null;
}
