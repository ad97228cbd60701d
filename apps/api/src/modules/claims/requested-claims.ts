import type { RequestedClaim } from '@sendlap/contract/center-management/claims.ts';
import type { Database, Trx } from '#api/database/database.ts';
import { recordAudit } from '#api/modules/audit/service.ts';
import { insertManager } from '#api/modules/managers/service.ts';
import { centerClosed, claimUnknown } from './refusals.ts';
import { countWaiting, deleteOwnClaims, findClaimedCenter, listWaiting, lockWaiting, markRefused } from './store.ts';

const MAX_LISTED = 100;

interface ClaimList {
  items: RequestedClaim[];
  next_cursor: null;
}

export type RequestedClaimService = ReturnType<typeof createRequestedClaimService>;

/** The operator's part: users who cannot prove by themselves that they run a center. */
export function createRequestedClaimService(database: Database) {
  const list = async (): Promise<ClaimList> => ({ items: await listWaiting(database, MAX_LISTED), next_cursor: null });

  /** Throws `claim_unknown` if the user no longer waits. */
  async function decide(id: string, run: (trx: Trx, claim: { user_id: string; sport_center_id: string }) => unknown) {
    await database.transaction().execute(async (trx) => {
      const claim = await lockWaiting(trx, id);
      if (!claim) throw claimUnknown();
      await run(trx, claim);
    });
    return list();
  }

  return {
    list,
    countWaiting: () => countWaiting(database),
    /** Throws `claim_unknown`, `sport_center_closed`. */
    accept: (id: string, actor_id: string): Promise<ClaimList> =>
      decide(id, async (trx, { user_id, sport_center_id }) => {
        const center = await findClaimedCenter(trx, sport_center_id);
        if (center?.is_closed) throw centerClosed(center.name);
        await insertManager(trx, { user_id, sport_center_id });
        await deleteOwnClaims(trx, { user_id, sport_center_id });
        const details = { sport_center_id };
        await recordAudit(trx, { act: 'center_claim_accepted', actor_id, subject_id: user_id, details });
      }),
    /** Throws `claim_unknown`. */
    refuse: (id: string, actor_id: string): Promise<ClaimList> =>
      decide(id, async (trx, { user_id, sport_center_id }) => {
        await markRefused(trx, id);
        const details = { sport_center_id };
        await recordAudit(trx, { act: 'center_claim_refused', actor_id, subject_id: user_id, details });
      }),
  };
}
