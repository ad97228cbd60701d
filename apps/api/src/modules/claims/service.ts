import { randomUUID } from 'node:crypto';
import type { CenterClaim, ClaimLine } from '@sendlap/contract/center-management/claims.ts';
import { cleanText } from '@sendlap/domain/names.ts';
import type { MailSettings } from '#api/accounts/pages/mail.ts';
import type { Database } from '#api/database/database.ts';
import type { Secrets } from '#api/database/secrets.ts';
import type { Locale } from '#api/http/pages/locale.ts';
import { recordAudit } from '#api/modules/audit/service.ts';
import type { ManagerService } from '#api/modules/managers/service.ts';
import { AppError } from '#api/platform/errors.ts';
import { createClaimBudgets } from './budgets.ts';
import { createLineClaims } from './by-line.ts';
import { ATTEMPTS_A_CODE, createMailClaims } from './by-mail.ts';
import { createClaimedCenters } from './claimed-centers.ts';
import { createProofs } from './proofs.ts';
import type { SiteClient } from './site-client.ts';
import { type ClaimKey, listOwnClaims, lockClaims, saveClaim } from './store.ts';

interface ClaimServiceOptions {
  database: Database;
  secrets: Secrets;
  managers: Pick<ManagerService, 'isManager'>;
  site_client: Pick<SiteClient, 'readFile'>;
  mail: MailSettings | undefined;
  public_url: string;
  /** See `parseSite`. */
  allow_local: boolean;
  now: () => Date;
}

export type ClaimService = ReturnType<typeof createClaimService>;

/** Users prove that they run a sport center, and become its managers. */
export function createClaimService(options: ClaimServiceOptions) {
  const { database, managers, now } = options;
  const centers = createClaimedCenters(options);
  const proofs = createProofs({ database, centers, managers, now });
  const budgets = createClaimBudgets(database);
  const by_mail = createMailClaims({ ...options, centers, proofs, budgets });
  const by_line = createLineClaims({ ...options, centers, proofs, budgets });

  async function getClaim(user_id: string, sport_center_id: string): Promise<CenterClaim> {
    const center = await centers.getOpen(sport_center_id);
    const [own, is_manager] = await Promise.all([
      listOwnClaims(database, { sport_center_id, user_id }, now()),
      managers.isManager(user_id, sport_center_id),
    ]);
    const site = centers.findProvingSite(center);
    const openUntil = (way: ClaimKey['way']) => {
      const claim = own.find((one) => one.way === way && one.url === center.url && one.attempts < ATTEMPTS_A_CODE);
      return claim?.expires_at?.toISOString() ?? null;
    };
    const request = own.find(({ way }) => way === 'operator');
    return {
      center_name: center.name,
      is_manager,
      has_manager: center.has_manager && !is_manager,
      mail: options.mail && site?.mail_domain ? { domain: site.mail_domain, open_until: openUntil('mail') } : null,
      line: site && { file_url: site.file_url.href, open_until: openUntil('line') },
      request: request
        ? { message: request.message ?? '', requested_at: request.created_at.toISOString(), status: request.status }
        : null,
    };
  }

  async function saveRequest(claim: ClaimKey, message: string): Promise<void> {
    const { sport_center_id, way } = claim;
    await centers.getOpen(sport_center_id);
    await database.transaction().execute(async (trx) => {
      await lockClaims(trx, sport_center_id);
      await saveClaim(trx, { id: randomUUID(), ...claim, message, created_at: now() });
      const details = { sport_center_id, way };
      await recordAudit(trx, { act: 'center_claim_begun', actor_id: claim.user_id, details });
    });
  }

  return {
    /** Throws `sport_center_not_found`, `sport_center_closed`, as all of these do. */
    getClaim,
    /** Throws as `sendCode` does. */
    async sendCode(user_id: string, id: string, { email, language }: { email: string; language: Locale }) {
      const claim: ClaimKey = { sport_center_id: id, user_id, way: 'mail' };
      await proofs.attempt(claim, () => by_mail.sendCode(claim, email, language));
      return getClaim(user_id, id);
    },
    /** Throws as `redeemCode` does. */
    async redeemCode(user_id: string, id: string, typed: string): Promise<CenterClaim> {
      const claim: ClaimKey = { sport_center_id: id, user_id, way: 'mail' };
      await proofs.attemptOnce(claim, () => by_mail.redeemCode(claim, typed));
      return getClaim(user_id, id);
    },
    /** Throws `claim_way_unavailable`. */
    createLine(user_id: string, id: string): Promise<ClaimLine> {
      const claim: ClaimKey = { sport_center_id: id, user_id, way: 'line' };
      return proofs.attempt(claim, () => by_line.createLine(claim));
    },
    /** Throws as `checkLine` does. */
    async checkLine(user_id: string, id: string): Promise<CenterClaim> {
      const claim: ClaimKey = { sport_center_id: id, user_id, way: 'line' };
      await proofs.attemptOnce(claim, () => by_line.checkLine(claim));
      return getClaim(user_id, id);
    },
    /** Throws `validation_failed` if the message has no visible character. */
    async request(user_id: string, id: string, text: string): Promise<CenterClaim> {
      const claim: ClaimKey = { sport_center_id: id, user_id, way: 'operator' };
      const message = cleanText(text);
      if (message === '') throw new AppError('validation_failed', 'Say who you are');
      await proofs.attemptOnce(claim, () => saveRequest(claim, message));
      return getClaim(user_id, id);
    },
  };
}
