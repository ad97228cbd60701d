import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { currentLanguage } from '#web/shared/i18n/i18n.ts';
import { choicesMutation } from './choices-mutation.ts';
import { devicePushOf } from './client.ts';
import type { PushState } from './device-push.ts';

const stateKey = (user_id: string) => ['notifications', user_id, 'device'];

/** Whether this browser notifies: only it knows, so no network is needed. */
export function pushStateQuery(user_id: string) {
  return queryOptions({
    queryKey: stateKey(user_id),
    queryFn: () => devicePushOf(user_id).read(),
    networkMode: 'always',
    staleTime: 0,
    retry: false,
  });
}

/**
 * Whether a newer browser replaced this one on the server; asked once per visit, while this browser's state is `on`.
 */
export function pushReplacedQuery(user_id: string) {
  return queryOptions({
    queryKey: [...stateKey(user_id), 'replaced'],
    async queryFn({ client }): Promise<boolean> {
      const is_replaced = await devicePushOf(user_id).unsubscribeIfReplaced();
      if (is_replaced) client.setQueryData<PushState>(stateKey(user_id), 'off');
      return is_replaced;
    },
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
}

/** Switches this browser's notifications. Switching on must follow a tap, because the browser then shows its prompt. */
export function useSwitchPush(user_id: string) {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    async mutationFn(on: boolean): Promise<PushState> {
      const push = devicePushOf(user_id);
      if (on) return push.turnOn(currentLanguage());
      await push.turnOff();
      return 'off';
    },
    async onSuccess(state) {
      const queryKey = stateKey(user_id);
      // A query that began before the switch would restore the old state.
      await queries.cancelQueries({ queryKey });
      queries.setQueryData<PushState>(queryKey, state);
    },
    onError: () => void queries.invalidateQueries({ queryKey: stateKey(user_id) }),
  });
}

/** Changes which events the user is notified of, on all their devices. */
export function useUpdateChoices(user_id: string) {
  const queries = useQueryClient();
  return useMutation(useMemo(() => choicesMutation(queries, user_id), [queries, user_id]));
}
