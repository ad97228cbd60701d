import { timingSafeEqual } from 'node:crypto';
import { cleanText } from '@sendlap/domain/names.ts';
import { createMailer, isRefusalOfMail, type MailSettings } from '#api/accounts/pages/mail.ts';
import type { Database } from '#api/database/database.ts';
import type { Secrets } from '#api/database/secrets.ts';
import type { Locale } from '#api/http/pages/locale.ts';
import { AppError } from '#api/platform/errors.ts';
import type { ClaimBudgets } from './budgets.ts';
import { claimMail } from './claim-mail.ts';
import type { ClaimedCenters } from './claimed-centers.ts';
import type { Proofs } from './proofs.ts';
import { claimUnknown, wayUnavailable } from './refusals.ts';
import { createCode, hashCode } from './secrets.ts';
import { parseClaimAddress } from './site.ts';
import { type ClaimKey, countAttempt, deleteClaim, findPublicId } from './store.ts';

const LIFETIME_MS = 24 * 3_600_000;
export const ATTEMPTS_A_CODE = 5;
/** Shorter than the app waits for a reply. */
const SEND_TIMEOUT_MS = 8_000;

interface MailClaimsOptions {
  database: Database;
  secrets: Secrets;
  centers: ClaimedCenters;
  proofs: Proofs;
  budgets: Pick<ClaimBudgets, 'takeMail' | 'refundMail'>;
  /** undefined: the server sends no mail, and this way is not offered. */
  mail: MailSettings | undefined;
  public_url: string;
  now: () => Date;
}

/** A one-time code, mailed to an address at the domain of the center's web site. */
export function createMailClaims(options: MailClaimsOptions) {
  const { database, secrets, centers, proofs, budgets, mail, public_url, now } = options;
  const key = secrets.derive('codes of center claims');
  const mailer = mail && createMailer(mail);
  const { host } = new URL(public_url);

  return {
    /**
     * Throws `claim_way_unavailable`, `claim_email_refused`, `claim_mail_failed`, `too_many_requests`, and as
     * `getProvable` does.
     */
    async sendCode(claim: ClaimKey, email: string, locale: Locale): Promise<void> {
      const { center, site } = await centers.getProvable(claim.sport_center_id);
      if (!mailer || !site.mail_domain) throw wayUnavailable();
      const to = parseClaimAddress(email, site.mail_domain);
      if (!to) throw new AppError('claim_email_refused', `This is no address at ${site.mail_domain}`);
      await budgets.takeMail(claim);
      const code = createCode(key);
      const public_id = await findPublicId(database, claim.user_id);
      await proofs.begin(claim, { site, secret_hash: code.hash, lifetime_ms: LIFETIME_MS });
      const content = claimMail({ to, code: code.text, center_name: cleanText(center.name), public_id, host }, locale);
      const timeout = AbortSignal.timeout(SEND_TIMEOUT_MS);
      await mailer.send(content, timeout).catch(async (cause: unknown) => {
        await deleteClaim(database, claim);
        // A slow mail server may deliver the mail after all. A refused mail stays counted: by the answers a stranger could
        // find out which mailboxes a site has.
        if (!timeout.aborted && !isRefusalOfMail(cause)) await budgets.refundMail(claim);
        throw new AppError('claim_mail_failed', 'The mail could not be sent', { cause });
      });
    },
    /**
     * Throws `claim_unknown`, `claim_code_wrong`, and as `Proofs.redeem` does. The mails of a center bound the guesses
     * at it, so that others cannot use up the claimant's own.
     */
    async redeemCode(claim: ClaimKey, typed: string): Promise<void> {
      const found = await countAttempt(database, claim, { now: now(), max_attempts: ATTEMPTS_A_CODE });
      if (!found?.secret_hash) throw claimUnknown();
      const hash = hashCode(typed, key);
      if (!timingSafeEqual(hash, found.secret_hash))
        throw new AppError('claim_code_wrong', 'This is not the code of the latest mail');
      await proofs.redeem(claim, hash);
    },
  };
}
