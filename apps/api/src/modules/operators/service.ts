import type { Database } from '#api/database/database.ts';
import { recordAudit } from '#api/modules/audit/service.ts';
import { createInvite, formatCode, redeemInvite } from '#api/modules/invites/service.ts';
import { AppError } from '#api/platform/errors.ts';

export type OperatorService = ReturnType<typeof createOperatorService>;

/** Operators may run the server: its name, its town, its centers. A right of a user, not a kind of account. */
export function createOperatorService(database: Database, now: () => Date = () => new Date()) {
  return {
    isOperator: async (user_id: string) =>
      (await database.selectFrom('operators').select('user_id').where('user_id', '=', user_id).executeTakeFirst()) !==
      undefined,
    hasOperator: () => hasOperator(database),
    /**
     * Makes the user an operator by the code of a set-up address. Throws `invite_unknown`, `invite_invalid`; a refusal
     * is in the audit trail too.
     */
    async redeemInvite(user_id: string, code: string): Promise<void> {
      try {
        await database.transaction().execute(async (trx) => {
          const { is_repeat, used_by } = await redeemInvite(trx, { kind: 'operator', code, user_id }, now());
          if (is_repeat && used_by !== user_id) throw new AppError('invite_invalid', 'This address was used already');
          // A repeat does not restore a right that was revoked since.
          if (is_repeat) return;
          await trx
            .insertInto('operators')
            .values({ user_id })
            .onConflict((conflict) => conflict.doNothing())
            .execute();
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

/** Whether an operator exists whose account is not locked. */
export async function hasOperator(database: Database): Promise<boolean> {
  const operator = await database
    .selectFrom('operators')
    .innerJoin('users', 'users.id', 'operators.user_id')
    .select('users.id')
    .where('users.is_active', '=', true)
    .limit(1)
    .executeTakeFirst();
  return operator !== undefined;
}

/** Returns a one-time address, valid for 24 hours, that makes the user who opens it an operator. */
export async function inviteOperator(
  database: Database,
  public_url: string,
  now: Date,
): Promise<{ url: string; expires_at: Date }> {
  const { code, expires_at } = await createInvite(database, { kind: 'operator' }, now);
  await recordAudit(database, { act: 'operator_invited', actor_id: null });
  // In the fragment, which browsers keep out of requests and so out of logs.
  return { url: `${public_url}/setup#${formatCode(code)}`, expires_at };
}
