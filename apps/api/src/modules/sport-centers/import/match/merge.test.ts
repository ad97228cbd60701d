import { distanceKm } from '@sendlap/domain/geo.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Center } from '../read/types.ts';
import { type Candidate, type IdentifiedCenter, mergeCenters, mergeRecord, updateFromSource } from './merge.ts';
import { PositionIndex } from './position-index.ts';
import { isSameCenter } from './same-center.ts';

function center(name: string, metresNorth = 0, more: Partial<Center> = {}): Center {
  return {
    source: 'osm',
    source_ref: `node/${name}${metresNorth}`,
    name,
    address: null,
    city: null,
    country: 'ES',
    latitude: 41.4 + metresNorth / 111_195,
    longitude: 2.17,
    phone: null,
    url: null,
    is_private: null,
    time_zone: 'Europe/Madrid',
    licence: 'ODbL-1.0',
    attribution: '© OpenStreetMap contributors',
    other_names: [],
    place_names: [],
    sports: ['climbing'],
    ...more,
  };
}

function merge(centers: Center[], stored: IdentifiedCenter[] = []) {
  const candidates: Candidate[] = centers.map((one, index) => ({ index, ref: one.source_ref, center: one }));
  const { distinct, duplicates } = mergeCenters(candidates, stored);
  return {
    kept: distinct.map((candidate) => candidate.center.name).sort(),
    absorbed: duplicates.map(({ candidate, into }) => [
      candidate.center.name,
      'id' in into ? into.id : into.center.name,
    ]),
  };
}

describe('two records stay two centers', () => {
  it.each<[string, Center, Center]>([
    ['further apart than 150 m', center('Sala Vertical'), center('Sala Vertical', 160)],
    ['with different names in one building', center('Go Bananas'), center('Grand River Rocks', 13)],
    ['distinguished by a number', center('Kletterhalle Nord 1'), center('Kletterhalle Nord 2', 20)],
    [
      'of two sports that share a town in their names',
      center('Rocòdrom d’Ordino'),
      center('Piscina Ordino', 40, { sports: ['swimming'] }),
    ],
    ['a climbing wall and a hall too far apart', center('Climbing Wall'), center('Dynamo', 100)],
    ['a pool basin and a climbing hall', center('Babybecken', 0, { sports: ['swimming'] }), center('Sala', 30)],
  ])('%s', (_what, a, b) => {
    expect(merge([a, b]).absorbed).toEqual([]);
  });
});

describe('two records become one center', () => {
  it.each<[string, Center, Center, string]>([
    ['node and way', center('El Globo', 40), center('El Globo', 0, { source_ref: 'way/1' }), 'El Globo'],
    [
      'accents and generic words',
      center('KLETTERHALLE Würzburg'),
      center('Boulderhalle Wurzburg', 90, { url: 'https://a.example' }),
      'Boulderhalle Wurzburg',
    ],
    ['another name', center('Monkey'), center('Mono', 50, { other_names: ['Monkey'], city: 'B' }), 'Mono'],
    [
      'a basin and its bath',
      center('Babybecken', 0, { sports: ['swimming'], url: 'https://a.example' }),
      center('Terrassenbad', 99, { sports: ['swimming'] }),
      'Terrassenbad',
    ],
    ['a bare wall and its hall', center('Climbing Wall', 0, { phone: '1' }), center('Dynamo', 30), 'Dynamo'],
    [
      'two sports under one roof',
      center('Poli Sur'),
      center('Poli Sur', 50, { sports: ['swimming'], phone: '1' }),
      'Poli Sur',
    ],
  ])('%s', (_what, a, b, name) => {
    for (const order of [
      [a, b],
      [b, a],
    ]) {
      const { kept, absorbed } = merge(order);
      expect(kept).toEqual([name]);
      expect(absorbed).toHaveLength(1);
    }
  });

  it('whatever the order of the file', () => {
    const names = ['Sala Uno', 'Sala Uno Escalada', 'Pool', 'Sala Dos', 'Babybecken', 'Bad Sud'];
    const record = fc.record({
      name: fc.constantFrom(...names),
      at: fc.integer({ min: 0, max: 400 }),
      swims: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(record, { selector: ({ name, at }) => `${name}${at}`, maxLength: 12 }),
        fc.nat(),
        (records, seed) => {
          const centers = records.map(({ name, at, swims }) =>
            center(name, at, { sports: swims ? ['swimming'] : ['climbing'] }),
          );
          const shuffled = [...centers].sort(
            (a, b) => ((a.source_ref.length * 7 + seed) % 5) - ((b.source_ref.length * 7 + seed) % 5),
          );
          expect(merge(shuffled.reverse())).toEqual(merge(centers));
        },
      ),
    );
  });

  it('with a stored center, which keeps its id', () => {
    const stored = {
      ...center('Sharma Climbing BCN', 0, { source: 'sendlap-starter', source_ref: 'x' }),
      id: 'stored',
    };
    expect(merge([center('Sharma Climbing', 60)], [stored])).toEqual({
      kept: [],
      absorbed: [['Sharma Climbing', 'stored']],
    });
  });
});

describe('two records 250 m apart', () => {
  const stored = (source: string) => ({ ...center('Sala Gran', 0, { source, source_ref: 'x' }), id: 'stored' });

  it('stay two centers when both were surveyed', () => {
    expect(merge([center('Sala Gran', 250)], [stored('city-data')]).absorbed).toEqual([]);
  });

  it('are one when the stored one was placed by hand', () => {
    expect(merge([center('Sala Gran', 250)], [stored('sendlap-starter')]).absorbed).toEqual([['Sala Gran', 'stored']]);
    expect(merge([center('Sala Gran', 310)], [stored('sendlap-starter')]).absorbed).toEqual([]);
  });
});

describe('the facts of one center', () => {
  it('keeps its own, fills unknown ones, and names both licences', () => {
    const own = center('Sala', 0, { phone: '1', licence: 'CC0-1.0', attribution: 'Starter' });
    const other = center('La Sala Gran', 9, { phone: '2', url: 'https://a.example', sports: ['swimming'] });
    expect(mergeRecord(own, other)).toEqual({
      ...own,
      url: 'https://a.example',
      sports: ['climbing', 'swimming'],
      other_names: ['La Sala Gran'],
      licence: 'CC0-1.0; ODbL-1.0',
      attribution: 'Starter; © OpenStreetMap contributors',
    });
    const again = mergeRecord(mergeRecord(own, other), other);
    expect(again).toEqual(mergeRecord(own, other));
  });

  it('lets the source change a fact, but not erase one', () => {
    const stored = center('Sala', 0, { phone: '1', url: 'https://a.example', other_names: ['Old'] });
    expect(updateFromSource(stored, center('Sala Nova', 5, { phone: '2' }))).toMatchObject({
      name: 'Sala Nova',
      phone: '2',
      url: 'https://a.example',
      other_names: ['Old'],
    });
  });
});

it('the index finds the same places as a full scan', () => {
  const where = fc.record({
    latitude: fc.double({ min: -85, max: 85, noNaN: true }),
    longitude: fc.double({ min: -179, max: 179, noNaN: true }),
  });
  const offset = fc.double({ min: -0.003, max: 0.003, noNaN: true });
  fc.assert(
    fc.property(where, fc.array(fc.tuple(offset, offset), { maxLength: 30 }), (origin, offsets) => {
      const positions = offsets.map(([dLat, dLon]) => ({
        latitude: origin.latitude + dLat,
        longitude: origin.longitude + dLon,
      }));
      const index = new PositionIndex(positions);
      const near = positions.filter((one) => distanceKm(one, origin) * 1000 <= 150);
      expect(new Set(index.near(origin, 150).map(({ item }) => item))).toEqual(new Set(near));
    }),
  );
});

it('isSameCenter does not depend on the order of its two records', () => {
  const word = fc.constantFrom('Sala', 'Boulder', 'Vertical', 'Pool', '2', 'Gran', 'Babybecken', 'Ordino');
  const described = fc.record({
    name: fc.array(word, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' ')),
    other_names: fc.constant([]),
    sports: fc.subarray(['climbing', 'swimming'] as const, { minLength: 1 }),
  });
  fc.assert(
    fc.property(described, described, fc.integer({ min: 0, max: 200 }), (a, b, metres) => {
      expect(isSameCenter(a, b, metres)).toBe(isSameCenter(b, a, metres));
    }),
  );
});
