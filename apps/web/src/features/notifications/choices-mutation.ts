import { type NotificationChanges, updateSettings } from '@sendlap/contract/users.ts';
import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import { call } from '#web/shared/api/client.ts';
import { applySettings, SETTINGS_SCOPE } from '#web/shared/data/settings.ts';

/**
 * Changes to the user's notification choices: one request at a time; changes made while it runs are merged into the
 * next. Only changed fields are sent: another device may have changed the others.
 */
export function choicesMutation(queries: QueryClient, user_id: string) {
  let latest: NotificationChanges | null = null;
  let pending: NotificationChanges = {};
  return mutationOptions({
    scope: SETTINGS_SCOPE,
    onMutate(changes: NotificationChanges): void {
      latest = changes;
      pending = { ...pending, ...changes };
    },
    async mutationFn(changes: NotificationChanges) {
      // A later change is pending: this one is sent with it.
      if (latest !== changes) return null;
      const notifications = pending;
      pending = {};
      try {
        return await call(updateSettings, { body: { notifications } }, { expected_user_id: user_id });
      } catch (error) {
        // If a later change is pending, the failed one is sent again with it; otherwise it is dropped.
        if (latest !== changes) pending = { ...notifications, ...pending };
        throw error;
      }
    },
    onSuccess: (settings) => settings && applySettings(queries, user_id, settings),
  });
}
