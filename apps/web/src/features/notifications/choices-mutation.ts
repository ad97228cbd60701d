import { type NotificationChanges, updateSettings } from '@sendlap/contract/users.ts';
import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import { call } from '#web/shared/api/client.ts';
import { SETTINGS_SCOPE, takeSettings } from '#web/shared/api/settings.ts';
import type { UnsavedChoices } from './unsaved-choices.ts';

/** Changes of what the user is told: one request at a time, and those that wait go together. */
export function choicesMutation(queries: QueryClient, user_id: string, unsaved: UnsavedChoices) {
  return mutationOptions({
    scope: SETTINGS_SCOPE,
    onMutate: (changes: NotificationChanges) => unsaved.add(changes),
    mutationFn: (changes: NotificationChanges) =>
      unsaved.save(changes, (notifications) => call(updateSettings, { body: { notifications } }, { only_as: user_id })),
    onSuccess: (settings) => settings && takeSettings(queries, user_id, settings),
  });
}
