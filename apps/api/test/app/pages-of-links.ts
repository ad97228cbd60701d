import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { createMailedSignUps } from '#api/accounts/mailed-sign-ups.ts';
import { issueResetLink } from '#api/accounts/pages/password-resets.ts';
import type { Database } from '#api/database/database.ts';
import { mountTrustProbe } from '#api/phone/guide.ts';
import { addCheapAccount } from './cheap-account.ts';
import { PASSWORD } from './sign-in.ts';

const newEmail = () => `${randomUUID()}@example.org`;

/** Returns the path of a new account's link for a new password. */
export async function newResetLink(database: Database, public_url: string): Promise<string> {
  const account = await addCheapAccount(database, { email: newEmail(), display_name: 'Ada', password: PASSWORD });
  const { link } = await issueResetLink(database, { account_id: account.id, lifetime_ms: 60_000, public_url });
  return link.slice(public_url.length);
}

/** Returns the path of a link that would have been mailed for a sign-up. */
export async function newSignUpLink(database: Database): Promise<string> {
  return `/oidc/interaction/x/confirm?token=${await createMailedSignUps(database).begin(newEmail())}`;
}

/** Mounts the address by which the guide of `--phone` finds out whether a browser trusts the certificate. */
export function mountProbe(app: FastifyInstance): void {
  mountTrustProbe(app);
}
