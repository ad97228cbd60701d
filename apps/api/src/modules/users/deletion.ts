import type { User } from '@sendlap/contract/users.ts';
import type { Database, Trx } from '#api/database/database.ts';
import type { EventWriter } from '#api/events/events.ts';
import { changeVisibility } from '#api/modules/leaderboards/service.ts';
import { AppError } from '#api/platform/errors.ts';
import type { Session, Sessions } from '#api/sessions/sessions.ts';
import type { ChangeContext, UserService } from './service.ts';

const GRACE_MS = 7 * 86_400_000;

export type DeletionService = ReturnType<typeof createDeletionService>;

interface DeletionOptions extends ChangeContext {
  sessions: Pick<Sessions, 'endAll'>;
  users: UserService;
}

export function createDeletionService({ database, events, presence, sessions, users, now }: DeletionOptions) {
  return {
    /** Locks the account and ends all its sessions; a repeat for a locked account does not change its time. */
    async deleteMe(user_id: string): Promise<{ erase_after: string }> {
      const erase_after = await presence.runAndNotify(user_id, () => lockAccount(events, user_id, { now: now() }));
      if (!erase_after) throw accountNotFound();
      users.recordChange(user_id);
      await sessions.endAll(user_id, 'account_locked');
      return { erase_after: erase_after.toISOString() };
    },

    /** `erase_after` is null for an account that will not be erased. */
    async getDeletion(user_id: string): Promise<{ erase_after: string | null; is_suspended: boolean }> {
      const user = await readDeletion(database, user_id);
      if (!user) throw accountNotFound();
      return { erase_after: user.erase_after?.toISOString() ?? null, is_suspended: user.suspended_at !== null };
    },

    /**
     * Undoes the deletion, until the account is erased. Throws `account_not_locked` if the account is not locked,
     * unless the caller's token shows that it was locked a moment ago, and `account_suspended` if an operator locked it.
     */
    async restoreMe({ user_id, locked }: Session): Promise<{ user: User }> {
      const restored = await presence.runAndNotify(user_id, () => unlockUser(events, user_id, now()));
      users.recordChange(user_id);
      if (!restored) {
        const user = await readDeletion(database, user_id);
        if (user?.suspended_at)
          throw new AppError('account_suspended', 'An operator of this server locked this account');
        if (!user?.is_active) throw accountNotFound();
        if (!locked) throw new AppError('account_not_locked', 'There is nothing to undo: this account is not locked');
      }
      const user = await users.find(user_id);
      if (!user) throw accountNotFound();
      return { user };
    },
  };
}

/**
 * Locks an account until it is erased, 7 days from now or at once. A locked account keeps its time, unless it is to be
 * erased earlier. `alsoRun` is part of the transaction. @returns when it will be erased; undefined if the user does not exist
 */
export async function lockAccount(
  events: EventWriter,
  user_id: string,
  { now, grace_ms = GRACE_MS, alsoRun }: { now: Date; grace_ms?: number; alsoRun?: (trx: Trx) => Promise<void> },
): Promise<Date | undefined> {
  const erase_after = new Date(now.getTime() + grace_ms);
  const row = await changeVisibility(events, user_id, async (trx) => {
    await alsoRun?.(trx);
    return trx
      .updateTable('users')
      .set((eb) => ({ is_active: false, erase_after: eb.fn('least', ['erase_after', eb.val(erase_after)]) }))
      .where('id', '=', user_id)
      .returning('erase_after')
      .executeTakeFirst();
  });
  return row?.erase_after ?? undefined;
}

async function unlockUser(events: EventWriter, user_id: string, now: Date): Promise<boolean> {
  const restored = await changeVisibility(events, user_id, (trx) =>
    trx
      .updateTable('users')
      .set({ is_active: true, erase_after: null })
      .where('id', '=', user_id)
      .where('is_active', '=', false)
      .where('suspended_at', 'is', null)
      .where('erase_after', '>', now)
      .returning('id')
      .executeTakeFirst(),
  );
  return restored !== undefined;
}

function readDeletion(database: Database, user_id: string) {
  return database
    .selectFrom('users')
    .select(['is_active', 'erase_after', 'suspended_at'])
    .where('id', '=', user_id)
    .executeTakeFirst();
}

function accountNotFound(): AppError {
  return new AppError('unauthenticated', 'This account is no longer there');
}
