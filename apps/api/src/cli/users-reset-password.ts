import { Command } from '@commander-js/extra-typings';
import { findAccountByEmail } from '#api/accounts/accounts.ts';
import { normalizeEmail } from '#api/accounts/email.ts';
import { OWN_ISSUER_KEY } from '#api/accounts/identity.ts';
import { issueResetLink, OPERATOR_LIFETIME_MS } from '#api/accounts/pages/password-resets.ts';
import { recordAudit } from '#api/modules/audit/service.ts';
import { readEnv } from '#api/platform/env.ts';
import { defineCommand, RefusedError } from './command.ts';

export const command = defineCommand({
  noun: 'users',
  verb: 'reset-password',
  summary: 'make a one-time link for a forgotten password',
  description: `Prints a link with which the owner of an account chooses a new password. Hand it over yourself, to the right person:
the first person to open it owns the account. It works once, for 24 hours, and replaces earlier links. Using it signs all
devices of the person out. PUBLIC_URL must be set as for the server, because the link begins with it.`,
  json: 'the link and its end',
  exit_codes: '0 done, 1 no such account',
  declare: () => new Command().argument('<email>', 'the e-mail address of the account'),
  async run({ database }, _options, email) {
    const { PUBLIC_URL: public_url, OIDC_ISSUER } = readEnv(process.env);
    if (OIDC_ISSUER) throw new RefusedError(`Passwords are kept by ${OIDC_ISSUER}, not here.`);
    const account = await findAccountByEmail(database, normalizeEmail(email));
    if (!account) throw new RefusedError(`There is no account ${email}.`);
    const link_options = { account_id: account.id, lifetime_ms: OPERATOR_LIFETIME_MS, public_url };
    const reset = await issueResetLink(database, link_options);
    const user = await database
      .selectFrom('identities')
      .select('user_id as subject_id')
      .where('issuer', '=', OWN_ISSUER_KEY)
      .where('subject', '=', account.id)
      .executeTakeFirst();
    await recordAudit(database, { act: 'password_link_created', actor_id: null, ...user });
    const data = { email: account.email, link: reset.link, expires_at: reset.expires_at.toISOString() };
    return { data, text: `${data.link}\n\nFor ${data.email}, once, until ${data.expires_at}.\n` };
  },
});
