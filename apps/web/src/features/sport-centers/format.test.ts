import { describe, expect, it } from 'vitest';
import { defaultCity } from './search/default-city.ts';
import { fixAllCaps } from './search/fix-all-caps.ts';

describe('texts of the search screen', () => {
  it.each([
    ['CALLE DE LA FARMACIA 13', 'Calle de la Farmacia 13'],
    ['AVENIDA ÁLVAREZ', 'Avenida Álvarez'],
    ['Plaza de la Cebada 15', 'Plaza de la Cebada 15'],
    ['C/ A 3', 'C/ A 3'],
  ])('write the street %j as %j', (street, expected) => {
    expect(fixAllCaps(street)).toBe(expected);
  });

  it('begin in the biggest city of the time zone, named in the language', () => {
    expect(defaultCity('Europe/London', 'es').name).toBe('Londres');
    expect(defaultCity('Europe/London', 'en').name).toBe('London');
    expect(defaultCity('Mars/Olympus', 'es').name).toBe('Madrid');
  });
});
