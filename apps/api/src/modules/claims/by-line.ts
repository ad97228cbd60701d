import type { ClaimLine } from '@sendlap/contract/center-management/claims.ts';
import type { Database } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { ClaimBudgets } from './budgets.ts';
import type { ClaimedCenters } from './claimed-centers.ts';
import type { Proofs } from './proofs.ts';
import { claimUnknown } from './refusals.ts';
import { createLine, hashesInFile } from './secrets.ts';
import type { SiteClient } from './site-client.ts';
import { type ClaimKey, findClaimSecret } from './store.ts';

const LIFETIME_MS = 7 * 24 * 3_600_000;

interface LineClaimsOptions {
  database: Database;
  centers: ClaimedCenters;
  proofs: Proofs;
  budgets: Pick<ClaimBudgets, 'takeRead'>;
  site_client: Pick<SiteClient, 'readFile'>;
  now: () => Date;
}

/** A one-time line in a file on the center's web site. */
export function createLineClaims({ database, centers, proofs, budgets, site_client, now }: LineClaimsOptions) {
  return {
    /** Throws `claim_way_unavailable`. */
    async createLine(claim: ClaimKey): Promise<ClaimLine> {
      const { site } = await centers.getProvable(claim.sport_center_id);
      const { text, hash } = createLine();
      const expires_at = await proofs.begin(claim, { site, secret_hash: hash, lifetime_ms: LIFETIME_MS });
      return { line: text, file_url: site.file_url.href, expires_at: expires_at.toISOString() };
    },
    /**
     * Throws `claim_unknown`, `too_many_requests`, `claim_site_unreadable`, `claim_line_missing`, and as
     * `Proofs.redeem` does.
     */
    async checkLine(claim: ClaimKey): Promise<void> {
      const { site } = await centers.getProvable(claim.sport_center_id);
      const secret_hash = await findClaimSecret(database, claim, now());
      if (!secret_hash) throw claimUnknown();
      await budgets.takeRead(claim);
      const hashes = hashesInFile(await site_client.readFile(site));
      if (!hashes.some((hash) => hash.equals(secret_hash)))
        throw new AppError('claim_line_missing', `Your line is not in ${site.file_url.href}`);
      await proofs.redeem(claim, secret_hash);
    },
  };
}
