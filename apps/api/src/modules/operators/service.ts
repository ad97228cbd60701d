import { getMyOperatorRight, redeemOperatorInvite } from '@sendlap/contract/operators.ts';
import { SETUP_PATH } from '@sendlap/contract/wire/screens.ts';
import { sql } from 'kysely';
import { revokeOperatorLinks } from '#api/accounts/pages/password-resets.ts';
import type { Database, Trx } from '#api/database/database.ts';
import type { Route } from '#api/http/route.ts';
import { recordAudit } from '#api/modules/audit/service.ts';
import {
  createInvite,
  formatCode,
  redeemInvite,
  revokePrintedAddresses,
  revokeUnusedInvites,
} from '#api/modules/invites/service.ts';
import { AppError } from '#api/platform/errors.ts';

export type OperatorService = ReturnType<typeof createOperatorService>;

/** Operators may run the server: its name, its town, its centers. A right of a user, not a kind of account. */
export function createOperatorService(database: Database, now: () => Date = () => new Date()) {
  return {
    isOperator: (user_id: string, executor: Database | Trx = database) => isOperator(executor, user_id),
    hasOperator: () => hasOperator(database),
    /**
     * Makes the user an operator by the code of a set-up address. Throws `invite_unknown`, `invite_invalid`, `conflict` for
     * a locked account; a refusal is in the audit trail too.
     */
    async redeemInvite(user_id: string, code: string): Promise<void> {
      try {
        await database.transaction().execute(async (trx) => {
          await lockRights(trx);
          const { is_repeat, used_by } = await redeemInvite(trx, { kind: 'operator', code, user_id }, now());
          if (is_repeat) {
            // A repeat does not restore a right that was revoked since.
            if (used_by === user_id && (await isOperator(trx, user_id))) return;
            throw new AppError('invite_invalid', 'This address was used already');
          }
          await assertNotLocked(trx, user_id);
          await insertOperator(trx, user_id);
          await revokePrintedAddresses(trx);
          await recordAudit(trx, { act: 'operator_invite_redeemed', actor_id: user_id });
        });
      } catch (error) {
        if (error instanceof AppError)
          await recordAudit(database, {
            act: 'operator_invite_refused',
            actor_id: user_id,
            details: { code: error.code },
          });
        throw error;
      }
    },
  };
}

export function mountOperators(route: Route, operators: OperatorService): void {
  const readRight = async (user_id: string) => ({ is_operator: await operators.isOperator(user_id) });
  route(getMyOperatorRight, (_input, { user_id }) => readRight(user_id));
  route(redeemOperatorInvite, async ({ body }, { user_id }) => {
    await operators.redeemInvite(user_id, body.code);
    return readRight(user_id);
  });
}

export async function isOperator(executor: Database | Trx, user_id: string): Promise<boolean> {
  const right = await executor
    .selectFrom('operators')
    .select('user_id')
    .where('user_id', '=', user_id)
    .executeTakeFirst();
  return right !== undefined;
}

/** Whether an operator exists whose account is not locked. */
export async function hasOperator(executor: Database | Trx): Promise<boolean> {
  const operator = await executor
    .selectFrom('operators')
    .innerJoin('users', 'users.id', 'operators.user_id')
    .select('users.id')
    .where('users.is_active', '=', true)
    .limit(1)
    .executeTakeFirst();
  return operator !== undefined;
}

/** An operator as the CLI lists them. */
export interface ListedOperator {
  public_id: string;
  name: string;
  granted_at: Date;
  is_locked: boolean;
}

/** Returns all operators, those with a locked account included, the longest-serving first. */
export async function listOperators(database: Database): Promise<ListedOperator[]> {
  const rows = await database
    .selectFrom('operators')
    .innerJoin('users', 'users.id', 'operators.user_id')
    .select(['users.public_id', 'users.name', 'operators.granted_at', 'users.is_active'])
    .orderBy('operators.granted_at')
    .orderBy('users.public_id')
    .execute();
  return rows.map(({ is_active, ...operator }) => ({ ...operator, is_locked: !is_active }));
}

/**
 * Makes the user an operator. Returns false if the user was one already. `actor_id` null: the operator CLI. Throws
 * `conflict` if the account is locked.
 */
export function grantOperator(database: Database, user_id: string, actor_id: string | null = null): Promise<boolean> {
  return database.transaction().execute(async (trx) => {
    await lockRights(trx);
    await assertNotLocked(trx, user_id);
    if (!(await insertOperator(trx, user_id))) return false;
    await recordAudit(trx, { act: 'operator_granted', actor_id, subject_id: user_id });
    return true;
  });
}

/**
 * Ends the user's right, from the next request on, all unused invites, and the unused links to choose a password that
 * operators made. Returns false if the user was no operator. `actor_id` null: the operator CLI, which may end the last
 * right too. Throws `last_operator`.
 */
export function revokeOperator(database: Database, user_id: string, actor_id: string | null = null): Promise<boolean> {
  return database.transaction().execute(async (trx) => {
    await lockRights(trx);
    const { numDeletedRows } = await trx.deleteFrom('operators').where('user_id', '=', user_id).executeTakeFirst();
    if (numDeletedRows === 0n) return false;
    if (actor_id !== null && !(await hasOperator(trx)))
      throw new AppError('last_operator', 'The server needs an operator: first make another user one');
    await revokeUnusedInvites(trx);
    await revokeOperatorLinks(trx);
    await recordAudit(trx, { act: 'operator_revoked', actor_id, subject_id: user_id });
    return true;
  });
}

/** Lets changes of the right run one after the other: two that end each other's invites would deadlock. */
async function lockRights(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('operators'))`.execute(trx);
}

/** Throws `conflict` for a locked account; it cannot be locked until the transaction ends. */
async function assertNotLocked(trx: Trx, user_id: string): Promise<void> {
  const user = await trx
    .selectFrom('users')
    .select('is_active')
    .where('id', '=', user_id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!user?.is_active) throw new AppError('conflict', 'This account is locked');
}

/** Returns false if the user is an operator already. */
async function insertOperator(trx: Trx, user_id: string): Promise<boolean> {
  const inserted = await trx
    .insertInto('operators')
    .values({ user_id })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Who asks for a set-up address: an operator by their id, the server, or the operator CLI. */
type Inviter = 'server' | 'operator CLI' | { actor_id: string };

/**
 * Returns a one-time address, valid for 24 hours, that makes the user who opens it an operator. Earlier addresses stay
 * valid; the use of any one ends those that the server printed.
 */
export async function inviteOperator(
  database: Database,
  public_url: string,
  now: Date,
  by: Inviter = 'server',
): Promise<{ url: string; expires_at: Date }> {
  const is_operator = typeof by === 'object';
  const { code, expires_at } = await database.transaction().execute(async (trx) => {
    await lockRights(trx);
    // The right may have ended since the request began.
    if (is_operator && !(await isOperator(trx, by.actor_id)))
      throw new AppError('not_an_operator', 'Only an operator of this server can do this');
    await recordAudit(trx, {
      act: 'operator_invited',
      actor_id: is_operator ? by.actor_id : null,
      ...(by === 'operator CLI' && { details: { by } }),
    });
    return createInvite(trx, { kind: 'operator', granted_by: is_operator ? 'operator' : by }, now);
  });
  // In the fragment, which browsers keep out of requests and so out of logs.
  return { url: `${public_url}${SETUP_PATH}#${formatCode(code)}`, expires_at };
}
