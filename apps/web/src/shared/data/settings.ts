import { getSettings, type Settings, updateSettings } from '@sendlap/contract/users.ts';
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';

export const settingsKey = (user_id: string) => ['users', user_id, 'settings'];

export function getSettingsQuery(user_id: string) {
  return queryOptions({
    queryKey: settingsKey(user_id),
    queryFn: ({ signal }) => call(getSettings, {}, { signal, only_as: user_id }),
  });
}

/** Of every change of them: one is sent after the other, for each answer tells them all. */
export const SETTINGS_SCOPE = { id: 'settings' };

/** Takes the answer to a change. A read on its way may have been put together before, so it is given up. */
export async function takeSettings(queries: QueryClient, user_id: string, settings: Settings): Promise<void> {
  const queryKey = settingsKey(user_id);
  await queries.cancelQueries({ queryKey });
  queries.setQueryData<Settings>(queryKey, settings);
}

/** Shows me on public boards, or not any more. Boards that are on the screen are read anew. */
export function useUpdateBoards(user_id: string) {
  const queries = useQueryClient();
  return useMutation({
    scope: SETTINGS_SCOPE,
    mutationFn: (boards: boolean) => call(updateSettings, { body: { boards } }, { only_as: user_id }),
    async onSuccess(settings) {
      await takeSettings(queries, user_id, settings);
      void queries.invalidateQueries({ queryKey: ['leaderboards'] });
    },
  });
}
