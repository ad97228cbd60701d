import { timingSafeEqual } from 'node:crypto';
import { cleanText } from '@sendlap/domain/names.ts';
import { createMailer, type MailSettings } from '#api/accounts/pages/mail.ts';
import type { Database } from '#api/database/database.ts';
import type { Secrets } from '#api/database/secrets.ts';
import { createHourlyLimit } from '#api/http/attempt-limit.ts';
import type { Locale } from '#api/http/pages/locale.ts';
import { AppError } from '#api/platform/errors.ts';
import { claimMail } from './claim-mail.ts';
import type { ClaimedCenters } from './claimed-centers.ts';
import type { Proofs } from './proofs.ts';
import { claimUnknown, tooManyTries, wayUnavailable } from './refusals.ts';
import { createCode, hashCode } from './secrets.ts';
import { parseClaimAddress } from './site.ts';
import { type ClaimKey, countAttempt, deleteClaim, findClaimSecret, findPublicId } from './store.ts';

const LIFETIME_MS = 24 * 3_600_000;
export const ATTEMPTS_A_CODE = 5;
const MAILS_AN_HOUR = 5;
const TRIES_AN_HOUR = 30;
/** Shorter than the app waits for a reply. */
const SEND_TIMEOUT_MS = 8_000;

interface MailClaimsOptions {
  database: Database;
  secrets: Secrets;
  centers: ClaimedCenters;
  proofs: Proofs;
  /** undefined: the server sends no mail, and this way is not offered. */
  mail: MailSettings | undefined;
  public_url: string;
  now: () => Date;
}

/** A one-time code, mailed to an address at the domain of the center's web site. */
export function createMailClaims({ database, secrets, centers, proofs, mail, public_url, now }: MailClaimsOptions) {
  const key = secrets.derive('codes of center claims');
  const mailer = mail && createMailer(mail);
  const { host } = new URL(public_url);
  const by_user = createHourlyLimit(database, 'claim_mails_user', MAILS_AN_HOUR);
  const by_center = createHourlyLimit(database, 'claim_mails', MAILS_AN_HOUR);
  const tries = createHourlyLimit(database, 'claim_codes', TRIES_AN_HOUR);

  return {
    /**
     * Throws `claim_way_unavailable`, `claim_email_refused`, `claim_mail_failed`, `too_many_requests`, and as `getProvable`
     * does.
     */
    async sendCode(claim: ClaimKey, email: string, locale: Locale): Promise<void> {
      const { center, site } = await centers.getProvable(claim.sport_center_id);
      if (!mailer || !site.mail_domain) throw wayUnavailable();
      const to = parseClaimAddress(email, site.mail_domain);
      if (!to) throw new AppError('claim_email_refused', `This is no address at ${site.mail_domain}`);
      if (!(await by_user.tryConsume(claim.user_id))) throw tooManyTries();
      if (!(await by_center.tryConsume(claim.sport_center_id))) throw tooManyTries();
      const code = createCode(key);
      const public_id = await findPublicId(database, claim.user_id);
      await proofs.begin(claim, { site, secret_hash: code.hash, lifetime_ms: LIFETIME_MS });
      const content = claimMail({ to, code: code.text, center_name: cleanText(center.name), public_id, host }, locale);
      await mailer.send(content, AbortSignal.timeout(SEND_TIMEOUT_MS)).catch(async (cause: unknown) => {
        await deleteClaim(database, claim);
        throw new AppError('claim_mail_failed', 'The mail could not be sent', { cause });
      });
    },
    /** Throws `claim_unknown`, `claim_code_wrong`, `too_many_requests`, and as `Proofs.redeem` does. */
    async redeemCode(claim: ClaimKey, typed: string): Promise<void> {
      // Others, without a code of their own, do not use up the tries at a center.
      if (!(await findClaimSecret(database, claim, now()))) throw claimUnknown();
      if (!(await tries.tryConsume(claim.sport_center_id))) throw tooManyTries();
      const found = await countAttempt(database, claim, { now: now(), max_attempts: ATTEMPTS_A_CODE });
      if (!found?.secret_hash) throw claimUnknown();
      const hash = hashCode(typed, key);
      if (!timingSafeEqual(hash, found.secret_hash))
        throw new AppError('claim_code_wrong', 'This is not the code of the latest mail');
      await proofs.redeem(claim, hash);
    },
  };
}
