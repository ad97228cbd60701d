import type { Position } from '@sendlap/domain/geo.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { LAST_PRELOAD_KEY, type PreloadDeps, preload, RECOMMENDED_KEY } from './preload.ts';

const BILBAO = { latitude: 43.2630051, longitude: -2.9349852 };
const SEVILLE = { latitude: 37.389, longitude: -5.984 };
const HOUR_MS = 3_600_000;

let metadata: Map<string, unknown>;
let calls: string[];
let now: number;

beforeEach(() => {
  metadata = new Map();
  calls = [];
  now = 100 * HOUR_MS;
});

const at = ({ latitude, longitude }: Position) => `${latitude},${longitude}`;

function deps(change: Partial<PreloadDeps> = {}): PreloadDeps {
  return {
    isOnline: () => true,
    isDataSaverOn: () => false,
    readGrantedPosition: async () => BILBAO,
    loadLastOrigin: async () => SEVILLE,
    loadMetadata: async (key) => metadata.get(key),
    saveMetadata: async (key, value) => void metadata.set(key, value),
    async saveCentersAround(position, cursor) {
      calls.push(`centers ${at(position)} ${cursor}`);
      return cursor === null ? 'second' : null;
    },
    async saveRecommended(position, limit) {
      calls.push(`recommended ${at(position)} ${limit}`);
      return ['a', 'b'];
    },
    saveTilesAround: async (position) => void calls.push(`tiles ${at(position)}`),
    now: () => now,
    ...change,
  };
}

describe('nothing is fetched', () => {
  test.each<[string, Partial<PreloadDeps>]>([
    ['offline', { isOnline: () => false }],
    ['saving_data', { isDataSaverOn: () => true }],
    ['no_position', { readGrantedPosition: async () => null, loadLastOrigin: async () => null }],
  ])('when it is %s', async (outcome, change) => {
    expect(await preload(deps(change))).toBe(outcome);
    expect(calls).toEqual([]);
    expect(metadata.size).toBe(0);
  });

  test('for the same place within an hour; for another one, after an hour, or with a clock set back it is', async () => {
    await preload(deps());
    now += HOUR_MS - 1;
    expect(await preload(deps({ readGrantedPosition: async () => ({ ...BILBAO, latitude: 43.29 }) }))).toBe('lately');
    expect(await preload(deps({ readGrantedPosition: async () => null }))).toBe('done');
    expect(await preload(deps())).toBe('done');
    now += HOUR_MS;
    expect(await preload(deps())).toBe('done');
    now -= 1;
    expect(await preload(deps())).toBe('done');
  });

  test('by a tab while another one is preloading, nor right after it has ended', async () => {
    const tiles = Promise.withResolvers<void>();
    const first = preload(deps({ saveTilesAround: () => tiles.promise }));
    expect(await preload(deps())).toBe('elsewhere');
    tiles.resolve();
    expect(await first).toBe('done');
    expect(await preload(deps())).toBe('lately');
  });

  test('by a failed preload, which the next one repeats', async () => {
    const failing = deps({ saveTilesAround: () => Promise.reject(new Error('no network')) });
    await expect(preload(failing)).rejects.toThrow('no network');
    expect(await preload(deps())).toBe('done');
  });
});

test('centers, the five recommended ones and the map are fetched, and the preload is noted [spec 9.offline.recommended, 3.metadata.last-preload]', async () => {
  expect(await preload(deps())).toBe('done');
  expect(calls).toEqual([
    'centers 43.263,-2.935 null',
    'centers 43.263,-2.935 second',
    'recommended 43.263,-2.935 5',
    'tiles 43.263,-2.935',
  ]);
  expect(LAST_PRELOAD_KEY).toBe('last_preload');
  expect(metadata.get('last_preload')).toEqual({ latitude: 43.263, longitude: -2.935, at: now });
  expect(metadata.get(RECOMMENDED_KEY)).toEqual(['a', 'b']);
});

test('without a granted position the last known place is used', async () => {
  await preload(deps({ readGrantedPosition: async () => null }));
  expect(calls[0]).toBe('centers 37.389,-5.984 null');
});

test('a place with very many centers gets the nearest five hundred', async () => {
  let pages = 0;
  await preload(deps({ saveCentersAround: async () => String(++pages) }));
  expect(pages).toBe(5);
});
