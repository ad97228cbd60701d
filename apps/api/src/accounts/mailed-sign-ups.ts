import { randomBytes } from 'node:crypto';
import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';
import type { Tables } from '#api/database/tables.ts';
import { hashToken } from '#api/platform/hash-token.ts';
import { createPeriodicJob, type PeriodicJob } from '#api/platform/periodic-job.ts';
import { checkSignUp, insertAccount, type NewAccount, prepareAccount, type SignUpProblem } from './accounts.ts';
import { emailKey } from './email.ts';

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;
const LIFETIME_MS = 24 * 3_600_000;
const PRUNING_INTERVAL_MS = 5 * 60_000;

/** Sign-ups by a link that is mailed to the address. Until the link is redeemed, there is no account. */
export function createMailedSignUps(database: Database) {
  return {
    /**
     * Stores a sign-up. Returns the secret of its link, or null if the address has an account. The check and the insert
     * are one statement, so that both answers take equally long.
     */
    async begin(email: string): Promise<string | null> {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const email_key = emailKey(email);
      const insert = sql`
        insert into provider_sign_ups (token_hash, email, email_key, expires_at)
        select ${hashToken(token)}::bytea, ${email}, ${email_key}, ${new Date(Date.now() + LIFETIME_MS)}::timestamptz
        where not exists (select from provider_accounts where email_key = ${email_key})`;
      const { numAffectedRows } = await executeWithAsyncCommit(database, insert);
      return numAffectedRows === 1n ? token : null;
    },

    /** Removes a sign-up whose mail was not sent. Null, of an address with an account, removes nothing in the same time. */
    async cancel(token: string | null): Promise<void> {
      const token_hash = hashToken(token ?? '');
      await executeWithAsyncCommit(database, sql`delete from provider_sign_ups where token_hash = ${token_hash}`);
    },

    /** Returns the sign-up of a link; undefined if the link is used or expired, or its address has an account. */
    find: (token: string) => findSignUp(database, token),

    /**
     * Creates the account and voids all links of its address, atomically. Of concurrent calls for one address all but
     * one get `link_invalid`. `isAllowed` is called once the form is valid, before the password is hashed.
     */
    async redeem(token: string, input: Omit<NewAccount, 'email'>, isAllowed: () => Promise<boolean>) {
      const sign_up = await findSignUp(database, token);
      if (!sign_up) return 'link_invalid';
      const checked = checkSignUp({ ...input, email: sign_up.email });
      if (typeof checked === 'string') return checked satisfies SignUpProblem;
      if (!(await isAllowed())) return 'too_many_attempts' satisfies SignUpProblem;
      const account = await prepareAccount(checked);
      const is_created = await database.transaction().execute(async (trx) => {
        await lockSignUps(trx, sign_up.email_key);
        if (!(await findSignUp(trx, token)) || !(await insertAccount(trx, account))) return false;
        await trx.deleteFrom('provider_sign_ups').where('email_key', '=', sign_up.email_key).execute();
        return true;
      });
      return is_created ? account : 'link_invalid';
    },
  };
}

/**
 * Executes a statement without waiting until its commit is on the disk. Only an address without an account has a row to
 * write, so the wait would tell it from one with an account. A crash of PostgreSQL may lose the sign-ups of the last
 * second.
 */
function executeWithAsyncCommit(database: Database, statement: RawBuilder<unknown>) {
  return database.transaction().execute(async (trx) => {
    await sql`set local synchronous_commit to off`.execute(trx);
    return statement.execute(trx);
  });
}

async function findSignUp(database: Database | Trx, token: string) {
  if (!TOKEN.test(token)) return undefined;
  return database
    .selectFrom('provider_sign_ups')
    .select(['email', 'email_key'])
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', new Date())
    .where((eb) => eb.not(hasAccount(eb)))
    .executeTakeFirst();
}

function hasAccount({ exists, selectFrom }: ExpressionBuilder<Tables, 'provider_sign_ups'>) {
  return exists(
    selectFrom('provider_accounts').whereRef('provider_accounts.email_key', '=', 'provider_sign_ups.email_key'),
  );
}

/** Locks all sign-ups of an address, in one order: redemptions of two of its links would deadlock otherwise. */
async function lockSignUps(trx: Trx, email_key: string): Promise<void> {
  await trx
    .selectFrom('provider_sign_ups')
    .select('token_hash')
    .where('email_key', '=', email_key)
    .orderBy('token_hash')
    .forUpdate()
    .execute();
}

interface PruningOptions {
  database: Database;
  log: { warn(fields: object, text: string): void };
}

/**
 * Job that removes sign-ups whose link has expired, or whose address got an account by another way: after the erasure
 * of the account the link would work again. Several nodes may run it at once.
 */
export function createSignUpPruning({ database, log }: PruningOptions): PeriodicJob {
  return createPeriodicJob({
    name: 'sign_up_pruning',
    interval_ms: PRUNING_INTERVAL_MS,
    async work() {
      const { numDeletedRows } = await database
        .deleteFrom('provider_sign_ups')
        .where(({ or, eb }) => or([eb('expires_at', '<=', new Date()), hasAccount(eb)]))
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
    log,
    failure_message: 'expired sign-ups could not be removed; retrying later',
  });
}
