import { describe, expect, it } from 'vitest';
import type { SourceRecord, Tags } from '../read/types.ts';
import { classify } from './classify.ts';

function makeRecord(tags: Tags, more: Partial<SourceRecord> = {}): SourceRecord {
  const at = { latitude: 41.4, longitude: 2.17 };
  return {
    index: 0,
    source: 'osm',
    source_ref: 'node/1',
    ...at,
    tags,
    declared_sports: null,
    dataset: null,
    licence: null,
    ...more,
  };
}

function outcome(tags: Tags, more: Partial<SourceRecord> = {}): string {
  const result = classify(makeRecord(tags, more));
  return 'center' in result ? result.center.sports.join('+') : result.refusal.code;
}

const climbing = { sport: 'climbing', leisure: 'sports_centre' };

describe('it refuses', () => {
  it.each<[string, string, Tags]>([
    ['bare rock', 'crag', { sport: 'climbing', name: 'Kilnsey Crag', natural: 'cliff', website: 'https://a.example' }],
    ['a sector', 'crag', { sport: 'climbing', name: 'Sud', climbing: 'crag', 'climbing:grade:french:max': '7c' }],
    ['rock that was tagged as a center', 'crag', { ...climbing, name: 'Falesia di Lumignano' }],
    ['rock described by its routes', 'crag', { ...climbing, name: 'Ponte Brolla', 'climbing:multipitch': 'yes' }],
    [
      'rock with an address',
      'crag',
      { sport: 'climbing', name: 'Routes', rock: 'granite', 'addr:street': 'A', website: 'a.example' },
    ],
    ['a mere sport tag', 'crag', { sport: 'climbing', name: 'Zig Zag' }],
    ['a via ferrata', 'via_ferrata', { sport: 'climbing', name: 'Via ferrada Canal del Grau', tourism: 'attraction' }],
    [
      'a ropes course by name',
      'ropes_course',
      { ...climbing, name: 'Kletterwald Regensburg', website: 'http://a.example' },
    ],
    ['a ropes course by tag', 'ropes_course', { sport: 'climbing', leisure: 'high_ropes_course', name: 'Sky' }],
    ['a ropes course in Spanish', 'ropes_course', { ...climbing, name: 'Parque de Aventuras', phone: '1' }],
    ['a boulder in a park', 'pitch_or_playground', { sport: 'climbing', leisure: 'pitch', name: 'Kletterwand' }],
    ['a shop', 'shop_or_office', { sport: 'climbing', shop: 'sports', name: 'Vertical' }],
    [
      'the seat of a club',
      'shop_or_office',
      { sport: 'climbing', office: 'association', name: 'CAI', 'addr:street': 'A', website: 'a.example' },
    ],
    ['a center without any sign', 'no_evidence', { ...climbing, name: 'Arbaz' }],
    ['a hall without a name', 'no_name', { ...climbing, building: 'yes' }],
    ['a hall that closed', 'closed_down', { ...climbing, name: 'Kletterhalle', 'disused:sport': 'climbing' }],
    ['a garden pool', 'no_name', { leisure: 'swimming_pool' }],
    ['a lake', 'bathing_place', { sport: 'swimming', natural: 'water', name: 'Lac' }],
    ['swimming without a place', 'no_evidence', { sport: 'swimming', name: 'Swim' }],
    ['another sport', 'other_sport', { sport: 'skiing', leisure: 'sports_centre', name: 'Sector Pal' }],
    ['nothing at all', 'other_sport', {}],
  ])('%s', (_what, code, tags) => {
    expect(outcome(tags)).toBe(code);
  });

  it('takes a center of a normalised file, although its name denies it', () => {
    expect(outcome({ name: 'Boxwell Zip Line' }, { declared_sports: ['climbing'] })).toBe('ropes_course');
    expect(outcome({ name: 'Hillcrest RC Spray Park' }, { declared_sports: ['swimming'] })).toBe('spray_park');
    expect(outcome({ name: 'Site d’escalade de la Baie' }, { declared_sports: ['climbing'] })).toBe('crag');
    expect(outcome({}, { declared_sports: ['climbing'] })).toBe('no_name');
  });
});

describe('a center', () => {
  it.each<[string, string, Tags]>([
    ['a hall indoors', 'climbing', { ...climbing, name: 'Verm City', indoor: 'yes' }],
    ['a hall with an address', 'climbing', { ...climbing, name: 'Sharma', 'addr:street': 'Carrer del Marroc' }],
    [
      'a hall with grades and an address',
      'climbing',
      { ...climbing, name: 'DAV', 'climbing:grade:uiaa:max': '9', indoor: 'yes' },
    ],
    ['a telling name', 'climbing', { sport: 'climbing', name: 'Rocòdrom d’Ordino' }],
    ['a telling name in Japanese', 'climbing', { sport: 'climbing', name: 'ベース ボルダリングジム' }],
    ['a hall called after rock', 'climbing', { ...climbing, name: 'The Cliffs at LIC', website: 'https://a.example' }],
    ['a named pool', 'swimming', { leisure: 'swimming_pool', name: 'Piscina Sant Jordi' }],
    ['a bath by its name', 'swimming', { leisure: 'sports_centre', name: 'Frankrigsgades Svømmehal' }],
    [
      'both',
      'climbing+swimming',
      { leisure: 'sports_centre', sport: 'climbing;swimming', name: 'Poli', building: 'yes' },
    ],
  ])('%s', (_what, sports, tags) => {
    expect(outcome(tags)).toBe(sports);
  });

  it('carries its facts, with the time zone and country of its position', () => {
    const tags = {
      ...climbing,
      name: 'Sala',
      alt_name: 'La Sala;sala',
      'name:ca': 'La Sala Gran',
      'addr:street': 'Carrer Major',
      'addr:housenumber': '5',
      'addr:postcode': '08001',
      'addr:city': 'Barcelona',
      'contact:phone': '+34 93',
      website: 'www.sala.example; https://b.example',
      access: 'customers',
    };
    expect(classify(makeRecord(tags, { licence: 'ODbL-1.0' }))).toEqual({
      center: {
        source: 'osm',
        source_ref: 'node/1',
        name: 'Sala',
        address: 'Carrer Major 5, 08001',
        city: 'Barcelona',
        country: 'ES',
        latitude: 41.4,
        longitude: 2.17,
        phone: '+34 93',
        url: 'https://www.sala.example',
        is_private: true,
        time_zone: 'Europe/Madrid',
        licence: 'ODbL-1.0',
        attribution: '© OpenStreetMap contributors',
        other_names: ['La Sala', 'La Sala Gran'],
        place_names: expect.arrayContaining(['Barcelona']),
        sports: ['climbing'],
      },
    });
  });

  it('takes no invalid web address', () => {
    const none = [
      'javascript:alert(1)',
      'JavaScript://a.example/%0aalert(1)',
      'data:text/html,a.b',
      'mailto:a@b.example',
    ];
    // A browser would resolve those without two slashes as paths of our own site.
    const odd = [
      'tel:1',
      'nowhere',
      'http://',
      '/sala.html',
      'https:sala.example',
      'http:/sala.example',
      '////a.example',
    ];
    const disguised = [
      'https://user:password@sala.example/',
      'https://climbat.example@evil.example',
      'a:b@sala.example',
    ];
    for (const website of [
      ...none,
      ...odd,
      ...disguised,
      'https://\\\\a.example',
      '\\\\a.example',
      '//',
      '//nowhere/a.html',
    ]) {
      const result = classify(makeRecord({ ...climbing, name: 'Sala', indoor: 'yes', website }));
      expect('center' in result && result.center.url, website).toBeNull();
    }
  });

  it.each([
    ['javascript:alert(2)', null],
    ['javascript:alert(234567)', null],
    ['call us', null],
    ['tel:+34 93 1', '+34 93 1'],
    ['+34 93 1;+34 93 2', '+34 93 1; +34 93 2'],
  ])('takes the phone %s as %s', (phone, read) => {
    expect(classify(makeRecord({ ...climbing, name: 'Sala', indoor: 'yes', phone }))).toMatchObject({
      center: { phone: read },
    });
  });

  it.each([
    ['//sala.example', 'https://sala.example'],
    ['//sala.example/es?a=b', 'https://sala.example/es?a=b'],
    ['HTTP://sala.example', 'HTTP://sala.example'],
    ['sala.example/es', 'https://sala.example/es'],
  ])('takes %s as %s', (website, url) => {
    expect(classify(makeRecord({ ...climbing, name: 'Sala', indoor: 'yes', website }))).toMatchObject({
      center: { url },
    });
  });
});
