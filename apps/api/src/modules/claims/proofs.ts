import { randomUUID } from 'node:crypto';
import type { Database } from '#api/database/database.ts';
import { recordAudit } from '#api/modules/audit/service.ts';
import { insertManager, type ManagerService } from '#api/modules/managers/service.ts';
import { AppError } from '#api/platform/errors.ts';
import type { ClaimedCenters } from './claimed-centers.ts';
import { centerClosed, claimUnknown, wayUnavailable } from './refusals.ts';
import type { Site } from './site.ts';
import { type ClaimKey, deleteOwnClaims, findClaimedCenter, lockClaims, saveClaim, useSecret } from './store.ts';

/** Refusals that say nothing about a proof. */
const UNNOTED: readonly string[] = ['too_many_requests', 'sport_center_not_found'];

interface ProofsOptions {
  database: Database;
  centers: ClaimedCenters;
  managers: Pick<ManagerService, 'isManager'>;
  now: () => Date;
}

export type Proofs = ReturnType<typeof createProofs>;

/** The secrets of claims: each is made for one user, center and url, and makes one manager. */
export function createProofs({ database, centers, managers, now }: ProofsOptions) {
  /** Runs a step of a claim; a refusal is in the audit trail too. */
  async function attempt<T>({ sport_center_id, user_id, way }: ClaimKey, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (error instanceof AppError && !UNNOTED.includes(error.code)) {
        const details = { sport_center_id, way, code: error.code };
        await recordAudit(database, { act: 'center_claim_failed', actor_id: user_id, details });
      }
      throw error;
    }
  }

  return {
    attempt,
    /** As `attempt`; does nothing for a manager: a repeat of a proof whose reply was lost is no refusal. */
    async attemptOnce(claim: ClaimKey, run: () => Promise<void>): Promise<void> {
      if (!(await managers.isManager(claim.user_id, claim.sport_center_id))) await attempt(claim, run);
    },
    /** Stores a secret in place of an earlier one. Returns when it expires. */
    async begin(
      claim: ClaimKey,
      { site, secret_hash, lifetime_ms }: { site: Site; secret_hash: Buffer; lifetime_ms: number },
    ): Promise<Date> {
      const { sport_center_id, user_id, way } = claim;
      const created_at = now();
      const expires_at = new Date(created_at.getTime() + lifetime_ms);
      await database.transaction().execute(async (trx) => {
        await lockClaims(trx, sport_center_id);
        await saveClaim(trx, { id: randomUUID(), ...claim, secret_hash, url: site.url, expires_at, created_at });
        const details = { sport_center_id, way, site: site.host };
        await recordAudit(trx, { act: 'center_claim_begun', actor_id: user_id, details });
      });
      return expires_at;
    },
    /**
     * Uses the secret up and makes the user a manager. Throws `claim_unknown`, `sport_center_closed`,
     * `claim_way_unavailable` if something has changed since the claim began.
     */
    async redeem(claim: ClaimKey, secret_hash: Buffer): Promise<void> {
      const { sport_center_id, user_id, way } = claim;
      await database.transaction().execute(async (trx) => {
        await lockClaims(trx, sport_center_id);
        const used = await useSecret(trx, claim, { secret_hash, now: now() });
        const center = await findClaimedCenter(trx, sport_center_id);
        if (!used || !center || center.url !== used.url) throw claimUnknown();
        if (center.is_closed) throw centerClosed(center.name);
        const site = centers.findProvingSite(center);
        if (!site) throw wayUnavailable();
        await insertManager(trx, { user_id, sport_center_id });
        await deleteOwnClaims(trx, claim);
        const details = { sport_center_id, way, site: site.host };
        await recordAudit(trx, { act: 'center_claim_proved', actor_id: user_id, details });
      });
    },
  };
}
