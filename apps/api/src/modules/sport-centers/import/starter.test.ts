import { describe, expect, it } from 'vitest';
import { mergeCenters } from './match/merge.ts';
import { countryAt } from './read/time-zone.ts';
import { readStarterCenters } from './starter.ts';

describe('the starter set', () => {
  const candidates = readStarterCenters();
  const centers = candidates.map(({ center }) => center);

  it('has at least 60 centers in at least 8 countries, Spain strongest', () => {
    const countries = Map.groupBy(centers, ({ country }) => country);
    expect(centers.length).toBeGreaterThanOrEqual(60);
    expect(countries.size).toBeGreaterThanOrEqual(8);
    expect(countries.get('ES')?.length).toBeGreaterThanOrEqual(20);
    for (const [country, group] of countries) if (country !== 'ES') expect(group.length).toBeLessThan(20);
  });

  it('has every center in the country that it names', () => {
    for (const center of centers)
      expect(countryAt(center.latitude, center.longitude), center.name).toBe(center.country);
  });

  it('has no place twice, neither by reference nor by name and position', () => {
    expect(new Set(centers.map(({ source_ref }) => source_ref)).size).toBe(centers.length);
    expect(mergeCenters(candidates, []).duplicates).toEqual([]);
  });

  it('has both sports', () => {
    expect(centers.filter(({ sports }) => sports.includes('swimming')).length).toBeGreaterThanOrEqual(20);
    expect(centers.filter(({ sports }) => sports.includes('climbing')).length).toBeGreaterThanOrEqual(20);
  });
});
