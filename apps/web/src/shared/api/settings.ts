import { getSettings, type Settings, updateSettings } from '@sendlap/contract/users.ts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from './client.ts';

export const settingsKey = (user_id: string) => ['users', user_id, 'settings'];

export function getSettingsQuery(user_id: string) {
  return queryOptions({
    queryKey: settingsKey(user_id),
    queryFn: ({ signal }) => call(getSettings, {}, { signal, only_as: user_id }),
  });
}

/** Shows me on public boards, or not any more. Boards that are on the screen are read anew. */
export function useUpdateBoards(user_id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (boards: boolean) => call(updateSettings, { body: { boards } }, { only_as: user_id }),
    onSuccess(settings) {
      queries.setQueryData<Settings>(settingsKey(user_id), settings);
      void queries.invalidateQueries({ queryKey: ['leaderboards'] });
    },
  });
}
