import type { BioInfo } from '@sendlap/contract/bio-info.ts';
import { vi } from 'vitest';
import { NORA } from './fake-server.ts';

export const BODY: BioInfo = {
  id: '22222222-2222-4222-8222-222222222222',
  user_id: NORA.id,
  age: 34,
  weight_kg: 61.5,
  height_cm: 170,
  male: false,
  created_at: '2026-11-01T10:00:00.000Z',
  updated_at: '2026-11-01T10:00:00.000Z',
};

/** Loads the modules again, as a new page does. */
export async function importCacheModules() {
  vi.resetModules();
  const [database, profile, bio_info, metadata, location, centers, cities, engine] = await Promise.all([
    import('#web/shared/local-db/database.ts'),
    import('#web/shared/local-db/user-profile.ts'),
    import('#web/shared/local-db/bio-info.ts'),
    import('#web/shared/copies/metadata.ts'),
    import('#web/shared/local-db/user-location.ts'),
    import('#web/shared/local-db/sport-centers.ts'),
    import('#web/shared/local-db/saved-cities.ts'),
    import('#web/shared/local-db/center-search-engine.ts'),
  ]);
  const close = async () => (await database.openCache()).close();
  return { ...database, ...profile, ...bio_info, ...metadata, ...location, ...centers, ...cities, ...engine, close };
}
