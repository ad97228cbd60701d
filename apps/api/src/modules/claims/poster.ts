import type { CenterPoster } from '@sendlap/contract/center-management/claims.ts';
import { SPORT_CENTER_PATH } from '@sendlap/contract/wire/screens.ts';
import type { Database } from '#api/database/database.ts';
import { centerNotFound } from './refusals.ts';
import { findPosterFacts } from './store.ts';

export type PosterService = ReturnType<typeof createPosterService>;

/** The content of the poster for a center's entrance. */
export function createPosterService(database: Database, public_url: string) {
  return {
    /** Throws `sport_center_not_found`. */
    async getPoster(id: string): Promise<CenterPoster> {
      const facts = await findPosterFacts(database, id);
      if (!facts) throw centerNotFound();
      return { ...facts, url: `${public_url}${SPORT_CENTER_PATH.replace(':id', id)}` };
    },
  };
}
