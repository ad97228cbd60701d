import { randomBytes } from 'node:crypto';
import type { createPerson, OneTimeLink } from '@sendlap/contract/server-management/people.ts';
import type { User } from '@sendlap/contract/users.ts';
import type { ParsedRequest } from '@sendlap/contract/wire/endpoint.ts';
import { addAccount } from '#api/accounts/accounts.ts';
import { OWN_ISSUER_KEY } from '#api/accounts/identity.ts';
import { issueResetLink, OPERATOR_LIFETIME_MS } from '#api/accounts/pages/password-resets.ts';
import type { Database } from '#api/database/database.ts';
import { recordAudit } from '#api/modules/audit/service.ts';
import type { UserService } from '#api/modules/users/service.ts';
import { AppError } from '#api/platform/errors.ts';
import type { PersonRow } from './store.ts';

const UNKNOWN_PASSWORD_BYTES = 32;

interface Dependencies {
  database: Database;
  users: Pick<UserService, 'findOrCreate'>;
  public_url: string;
  /** Whether this server keeps accounts with passwords itself. */
  has_accounts: boolean;
}

/** Accounts that operators make for others, and links to choose a password. No operator learns a password. */
export function createNewAccounts({ database, users, public_url, has_accounts }: Dependencies) {
  return {
    /** Throws `password_login_unavailable`, `validation_failed`, `email_taken`. */
    async create({ email, name }: ParsedRequest<typeof createPerson>['body'], actor_id: string): Promise<User> {
      if (!has_accounts) throw passwordElsewhere();
      const password = randomBytes(UNKNOWN_PASSWORD_BYTES).toString('base64url');
      const account = await addAccount(database, { email, display_name: name, password });
      if (account === 'email_taken') throw new AppError(account, 'This e-mail address has an account');
      if (typeof account === 'string') throw new AppError('validation_failed', `No account was made: ${account}`);
      const user = await users.findOrCreate({
        issuer: OWN_ISSUER_KEY,
        subject: account.id,
        email: account.email,
        name: account.display_name,
        display_name: account.display_name,
      });
      await recordAudit(database, { act: 'user_created', actor_id, subject_id: user.id });
      return user;
    },
    /** Throws `password_login_unavailable`. */
    async issuePasswordLink({ id, account_id }: PersonRow, actor_id: string): Promise<OneTimeLink> {
      if (account_id === null) throw passwordElsewhere();
      const options = { account_id, lifetime_ms: OPERATOR_LIFETIME_MS, public_url };
      await recordAudit(database, { act: 'password_link_created', actor_id, subject_id: id });
      const { link, expires_at } = await issueResetLink(database, options);
      return { url: link, expires_at: expires_at.toISOString() };
    },
  };
}

function passwordElsewhere(): AppError {
  return new AppError('password_login_unavailable', "This person's password is kept by another service, not here");
}
