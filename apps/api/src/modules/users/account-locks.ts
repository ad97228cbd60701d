import type { Trx } from '#api/database/database.ts';
import { type AuditAct, recordAudit } from '#api/modules/audit/service.ts';
import { changeVisibility } from '#api/modules/leaderboards/service.ts';
import { revokeInvitesOfManager } from '#api/modules/managers/service.ts';
import { isOperator } from '#api/modules/operators/service.ts';
import { AppError } from '#api/platform/errors.ts';
import type { Sessions } from '#api/sessions/sessions.ts';
import { lockAccount } from './deletion.ts';
import type { ChangeContext } from './service.ts';

/** Who locks or unlocks an account, and why. */
export interface LockAct {
  actor_id: string;
  reason?: string;
}

export type AccountLocks = ReturnType<typeof createAccountLocks>;

interface LockOptions extends ChangeContext {
  sessions: Pick<Sessions, 'endAll' | 'endAllWithin'>;
}

/** Locks of accounts by operators; each has a line in the audit trail, in its transaction. */
export function createAccountLocks({ events, presence, sessions, users, now }: LockOptions) {
  return {
    /**
     * Locks an account until an operator lifts it, and ends its sessions and the unused invites of the centers that it
     * manages. A repeat changes nothing. `alsoRun` is part
     * of the transaction. Throws `user_is_operator`.
     */
    async suspend(user_id: string, act: LockAct, alsoRun?: (trx: Trx) => Promise<void>): Promise<void> {
      let applySessionEnds = () => {};
      const lock = () =>
        changeVisibility(events, user_id, async (trx) => {
          await assertNoOperator(trx, user_id);
          const suspended = await trx
            .updateTable('users')
            .set({ is_active: false, suspended_at: now() })
            .where('id', '=', user_id)
            .where('suspended_at', 'is', null)
            .returning('id')
            .executeTakeFirst();
          if (suspended) {
            await revokeInvitesOfManager(trx, user_id);
            await record(trx, 'user_suspended', user_id, act);
          }
          await alsoRun?.(trx);
          applySessionEnds = await sessions.endAllWithin(trx, user_id, 'account_locked');
        });
      await presence.runAndNotify(user_id, lock);
      users.recordChange(user_id);
      applySessionEnds();
    },

    /** Unlocks a suspended account; one that its owner deleted stays locked. A repeat changes nothing. */
    async liftSuspension(user_id: string, act: LockAct): Promise<void> {
      await changeVisibility(events, user_id, async (trx) => {
        const lifted = await trx
          .updateTable('users')
          .set((eb) => ({ suspended_at: null, is_active: eb('erase_after', 'is', null).$castTo<boolean>() }))
          .where('id', '=', user_id)
          .where('suspended_at', 'is not', null)
          .returning('id')
          .executeTakeFirst();
        if (lifted) await record(trx, 'suspension_lifted', user_id, act);
      });
      users.recordChange(user_id);
    },

    /**
     * Locks an account until it is erased after 7 days; its owner can undo that. A repeat changes nothing. Throws
     * `user_is_operator`.
     */
    async erase(user_id: string, act: LockAct): Promise<void> {
      const lock = () =>
        lockAccount(events, user_id, {
          now: now(),
          async alsoRun(trx) {
            await assertNoOperator(trx, user_id);
            await revokeInvitesOfManager(trx, user_id);
            if (!(await isLeaving(trx, user_id))) await record(trx, 'erasure_requested', user_id, act);
          },
        });
      await presence.runAndNotify(user_id, lock);
      users.recordChange(user_id);
      await sessions.endAll(user_id, 'account_locked');
    },
  };
}

/** After the user's row is locked: the right cannot be granted at the same time. */
async function assertNoOperator(trx: Trx, user_id: string): Promise<void> {
  if (await isOperator(trx, user_id))
    throw new AppError('user_is_operator', 'This user is an operator: end that right first');
}

async function isLeaving(trx: Trx, user_id: string): Promise<boolean> {
  const user = await trx.selectFrom('users').select('erase_after').where('id', '=', user_id).executeTakeFirst();
  return user !== undefined && user.erase_after !== null;
}

function record(trx: Trx, act: AuditAct, subject_id: string, { actor_id, reason }: LockAct): Promise<void> {
  return recordAudit(trx, { act, actor_id, subject_id, ...(reason !== undefined && { reason }) });
}
