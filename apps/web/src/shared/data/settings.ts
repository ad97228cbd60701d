import { getSettings, Settings, updateSettings } from '@sendlap/contract/users.ts';
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { createCopies } from '../copies/copies.ts';
import { useShown } from '../copies/use-shown.ts';

const copies = createCopies('settings', Settings);

export const settingsKey = (user_id: string) => ['users', user_id, 'settings'];

export function getSettingsQuery(user_id: string) {
  return queryOptions({
    queryKey: settingsKey(user_id),
    async queryFn({ signal }) {
      const settings = await call(getSettings, {}, { signal, expected_user_id: user_id });
      copies.save(user_id, settings);
      return settings;
    },
  });
}

/** The user's settings; this device's copy, which can't be changed, until they come. */
export function useSettings(user_id: string) {
  const query = useQuery(getSettingsQuery(user_id));
  return { ...query, ...useShown(query, useQuery(copies.query(user_id)).data) };
}

/** Scope of all settings mutations: they run one after the other, because each answer contains all settings. */
export const SETTINGS_SCOPE = { id: 'settings' };

/** Applies the answer of a change. Cancels a read in flight, which the server may have answered before the change. */
export async function applySettings(queries: QueryClient, user_id: string, settings: Settings): Promise<void> {
  const queryKey = settingsKey(user_id);
  await queries.cancelQueries({ queryKey });
  queries.setQueryData<Settings>(queryKey, settings);
  copies.save(user_id, settings);
}

/** Shows or hides me on public leaderboards. Refetches leaderboards on the screen. */
export function useUpdateBoardVisibility(user_id: string) {
  const queries = useQueryClient();
  return useMutation({
    scope: SETTINGS_SCOPE,
    mutationFn: (boards: boolean) => call(updateSettings, { body: { boards } }, { expected_user_id: user_id }),
    async onSuccess(settings) {
      await applySettings(queries, user_id, settings);
      void queries.invalidateQueries({ queryKey: ['leaderboards'] });
    },
  });
}
