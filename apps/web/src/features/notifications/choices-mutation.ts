import { type NotificationChanges, updateSettings } from '@sendlap/contract/users.ts';
import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import { call } from '#web/shared/api/client.ts';
import { SETTINGS_SCOPE, takeSettings } from '#web/shared/data/settings.ts';

/**
 * Changes of what the user is told: one request at a time, and those that wait go together. Nothing else is sent: the
 * rest may have been changed on another device.
 */
export function choicesMutation(queries: QueryClient, user_id: string) {
  let latest: NotificationChanges | null = null;
  let waiting: NotificationChanges = {};
  return mutationOptions({
    scope: SETTINGS_SCOPE,
    onMutate(changes: NotificationChanges): void {
      latest = changes;
      waiting = { ...waiting, ...changes };
    },
    async mutationFn(changes: NotificationChanges) {
      // It goes with the latest.
      if (latest !== changes) return null;
      const notifications = waiting;
      waiting = {};
      try {
        return await call(updateSettings, { body: { notifications } }, { only_as: user_id });
      } catch (error) {
        // What fails while a later change waits is sent with that one, otherwise it is given up.
        if (latest !== changes) waiting = { ...notifications, ...waiting };
        throw error;
      }
    },
    onSuccess: (settings) => settings && takeSettings(queries, user_id, settings),
  });
}
