import { randomBytes } from 'node:crypto';
import { MINUTE_MS } from '@sendlap/domain/durations.ts';
import { sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';
import type { Locale } from '#api/http/pages/locale.ts';
import { hashToken } from '#api/platform/hash-token.ts';
import { OWN_ISSUER_KEY } from '../identity.ts';
import { findPasswordProblem, hashPassword, type PasswordProblem } from '../passwords.ts';
import { RESET_PATH } from './reset-views.ts';

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;
export const MAILED_LIFETIME_MS = 30 * MINUTE_MS;
export const OPERATOR_LIFETIME_MS = 24 * 60 * MINUTE_MS;

interface PasswordResetsOptions {
  database: Database;
  /** Ends all sessions of the user within the transaction. The caller runs the returned function after the commit. */
  endSessions(trx: Trx, user_id: string): Promise<() => void>;
}

/** Resets a forgotten password by a one-time link. */
export function createPasswordResets({ database, endSessions }: PasswordResetsOptions) {
  const find = (token: string, trx: Database | Trx = database) =>
    trx
      .selectFrom('provider_password_resets')
      .innerJoin('provider_accounts', 'provider_accounts.id', 'provider_password_resets.account_id')
      .select(['provider_accounts.id', 'email'])
      .where('token_hash', '=', hashToken(token))
      .where('expires_at', '>', new Date())
      .executeTakeFirst();

  return {
    /**
     * Returns the account that a link is for; undefined when the link is used, expired or replaced. Only `redeem` uses
     * the link up.
     */
    find: async (token: string) => (TOKEN.test(token) ? find(token) : undefined),

    /**
     * Sets the password, ends all sessions of the user and uses the link up, atomically. Of two concurrent calls the
     * second gets `link_invalid`. `isAllowed` is asked before the slow hash.
     */
    async redeem(
      token: string,
      password: string,
      isAllowed: () => Promise<boolean>,
    ): Promise<'done' | 'link_invalid' | 'too_many_attempts' | PasswordProblem> {
      const account = TOKEN.test(token) ? await find(token) : undefined;
      if (!account) return 'link_invalid';
      const problem = findPasswordProblem(password, account.email);
      if (problem) return problem;
      if (!(await isAllowed())) return 'too_many_attempts';
      const password_hash = await hashPassword(password);
      const applySessionEnds = await database.transaction().execute(async (trx) => {
        await lockAccount(trx, account.id);
        // Another redemption, or a newer link, may have come first.
        if (!(await find(token, trx))) return undefined;
        await trx.updateTable('provider_accounts').set({ password_hash }).where('id', '=', account.id).execute();
        await trx.deleteFrom('provider_password_resets').where('account_id', '=', account.id).execute();
        await cancelPendingSignIns(trx, account.id);
        const user = await trx
          .selectFrom('identities')
          .select('user_id')
          .where('issuer', '=', OWN_ISSUER_KEY)
          .where('subject', '=', account.id)
          .executeTakeFirst();
        return user ? await endSessions(trx, user.user_id) : () => {};
      });
      if (!applySessionEnds) return 'link_invalid';
      applySessionEnds();
      return 'done';
    },
  };
}

/** Serialises changes of an account's links. */
async function lockAccount(trx: Trx, account_id: string): Promise<void> {
  await trx.selectFrom('provider_accounts').select('id').where('id', '=', account_id).forUpdate().execute();
}

/** Removes authorization codes and interactions of the old password: they would become sessions within a minute. */
export async function cancelPendingSignIns(trx: Trx, account_id: string): Promise<void> {
  await trx.deleteFrom('provider_records').where('account_id', '=', account_id).execute();
}

interface ResetLinkOptions {
  account_id: string;
  lifetime_ms: number;
  public_url: string;
  /** Language of the link's page; without it the browser's language. */
  locale?: Locale;
}

/**
 * Creates a one-time link for an account. It replaces older links, except those with a longer lifetime: a link that a
 * stranger can request by mail must not invalidate the operator's. Only the hash of the secret is stored.
 */
export async function issueResetLink(
  database: Database,
  { account_id, lifetime_ms, public_url, locale }: ResetLinkOptions,
): Promise<{ link: string; expires_at: Date }> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const created_at = new Date();
  const expires_at = new Date(created_at.getTime() + lifetime_ms);
  await database.transaction().execute(async (trx) => {
    await lockAccount(trx, account_id);
    await trx
      .deleteFrom('provider_password_resets')
      .where(
        sql<boolean>`expires_at < ${created_at} or (
          account_id = ${account_id} and expires_at - created_at <= make_interval(secs => ${lifetime_ms / 1000}::float8)
        )`,
      )
      .execute();
    await trx
      .insertInto('provider_password_resets')
      .values({ token_hash: hashToken(token), account_id, created_at, expires_at })
      .execute();
  });
  const language = locale === undefined ? '' : `&ui_locales=${locale}`;
  return { link: `${public_url}${RESET_PATH}?token=${token}${language}`, expires_at };
}

/** Ends the unused links that operators issued; those that people requested by mail stay. */
export async function revokeOperatorLinks(trx: Trx): Promise<void> {
  await sql`
    delete from provider_password_resets
    where expires_at - created_at > make_interval(secs => ${MAILED_LIFETIME_MS / 1000}::float8)`.execute(trx);
}
