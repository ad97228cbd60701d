import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { toSportCenter } from './store.ts';

const AT = '2026-01-01T00:00:00.000Z';

const stored = (contact: { phone: string | null; url: string | null }) => ({
  ...{ id: randomUUID(), name: 'Sala', address: null, city: null, country: 'ES', latitude: 41.4, longitude: 2.2 },
  ...{ is_private: null, time_zone: 'Europe/Madrid', attribution: '', licence: 'CC0-1.0', other_names: [] },
  ...{ place_names: [], search_name: 'sala', closed_at: null, created_at: AT, updated_at: AT, sport_facilities: [] },
  ...contact,
});

test.each([
  ['javascript:alert(2)', 'https://user:password@sala.example/'],
  ['javascript:alert(234567)', 'javascript:alert(1)//sala.example'],
  [null, null],
])('what an older import stored as phone %s and address %s is left out', (phone, url) => {
  expect(toSportCenter(stored({ phone, url }))).toMatchObject({ phone: null, url: null });
});

test('a phone number and an address of the web are given as they are', () => {
  const contact = { phone: '+34 93 411 55 00', url: 'https://sala.example/es?a=b@c' };
  expect(toSportCenter(stored(contact))).toMatchObject(contact);
});
