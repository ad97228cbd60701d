import type { NotificationChanges, Settings } from '@sendlap/contract/users.ts';

export interface UnsavedChoices {
  /** Puts a change beside those that wait. */
  add(changes: NotificationChanges): void;
  /**
   * Sends all that waits, where `changes` is the latest that was added; null for an earlier one, which goes with that.
   * What fails while a later change waits is sent with that one, otherwise it is given up. Rejects as `send` does.
   */
  save(changes: NotificationChanges, send: (all: NotificationChanges) => Promise<Settings>): Promise<Settings | null>;
}

/** Changes that the server has not got yet. Nothing else is sent: the rest may have been changed on another device. */
export function createUnsavedChoices(): UnsavedChoices {
  let latest: NotificationChanges | null = null;
  let waiting: NotificationChanges = {};
  return {
    add(changes) {
      latest = changes;
      waiting = { ...waiting, ...changes };
    },
    async save(changes, send) {
      if (latest !== changes) return null;
      const sent = waiting;
      waiting = {};
      try {
        return await send(sent);
      } catch (error) {
        if (latest !== changes) waiting = { ...sent, ...waiting };
        throw error;
      }
    },
  };
}
