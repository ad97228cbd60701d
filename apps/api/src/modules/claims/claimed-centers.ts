import type { Database } from '#api/database/database.ts';
import { centerClosed, centerNotFound, wayUnavailable } from './refusals.ts';
import { parseSite, type Site } from './site.ts';
import { type ClaimedCenter, findClaimedCenter } from './store.ts';

/** A url that has changed proves nothing for a week: in an open map a stranger may have set it. */
const URL_SETTLES_MS = 7 * 86_400_000;

interface ClaimedCentersOptions {
  database: Database;
  /** See `parseSite`. */
  allow_local: boolean;
  now: () => Date;
}

export type ClaimedCenters = ReturnType<typeof createClaimedCenters>;

/** Centers, and where it can be proved that a user runs them. */
export function createClaimedCenters({ database, allow_local, now }: ClaimedCentersOptions) {
  /** Returns the site where a claim can be proved now; null: only the operator decides. */
  function findProvingSite({ url, url_changed_at, ...center }: ClaimedCenter): Site | null {
    const is_settled = url_changed_at === null || now().getTime() - url_changed_at.getTime() >= URL_SETTLES_MS;
    if (center.has_manager || center.had_manager_revoked || !is_settled) return null;
    return parseSite(url, { allow_local });
  }

  /** Throws `sport_center_not_found`, `sport_center_closed`. */
  async function getOpen(id: string): Promise<ClaimedCenter> {
    const center = await findClaimedCenter(database, id);
    if (!center) throw centerNotFound();
    if (center.is_closed) throw centerClosed(center.name);
    return center;
  }

  return {
    findProvingSite,
    getOpen,
    /** As `getOpen`; throws `claim_way_unavailable` unless a claim can be proved now. */
    async getProvable(id: string): Promise<{ center: ClaimedCenter; site: Site }> {
      const center = await getOpen(id);
      const site = findProvingSite(center);
      if (!site) throw wayUnavailable();
      return { center, site };
    },
  };
}
