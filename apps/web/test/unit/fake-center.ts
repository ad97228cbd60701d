import type { SportCenter } from '@sendlap/contract/sport-centers.ts';

/** A made-up center for tests; its id is made of `number` (1 to 9999). */
export function center(number: number, facts: Partial<SportCenter> = {}): SportCenter {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const at = '2026-11-01T10:00:00.000Z';
  return {
    id,
    name: `Center ${number}`,
    address: null,
    city: 'Bilbao',
    country: 'ES',
    latitude: 43.26,
    longitude: -2.93,
    phone: null,
    url: null,
    is_private: null,
    time_zone: 'Europe/Madrid',
    attribution: 'OpenStreetMap contributors',
    licence: 'ODbL-1.0',
    other_names: [],
    place_names: [],
    closed_at: null,
    sport_facilities: [{ id, sport_center_id: id, type: 'climbing', created_at: at, updated_at: at }],
    created_at: at,
    updated_at: at,
    ...facts,
  };
}
