import { changePublicId } from '@sendlap/contract/friends.ts';
import {
  endSession,
  getDeletion,
  listSessions,
  restoreMe,
  UserSession,
  updateSettings,
} from '@sendlap/contract/users.ts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { call, session } from '#web/shared/api/client.ts';
import { createCopies } from '#web/shared/copies/copies.ts';
import { applySettings, SETTINGS_SCOPE } from '#web/shared/data/settings.ts';
import { removeUserLocation } from '#web/shared/local-db/user-location.ts';

const sessionsKey = (user_id: string) => ['sessions', user_id] as const;
export const session_copies = createCopies('sessions', z.array(UserSession));

/** Changes the display name, which boards and the profile show. */
export function useUpdateSettings(user_id: string) {
  const queries = useQueryClient();
  return useMutation({
    scope: SETTINGS_SCOPE,
    mutationFn: (display_name: string) =>
      call(updateSettings, { body: { display_name } }, { expected_user_id: user_id }),
    async onSuccess(settings) {
      await applySettings(queries, user_id, settings);
      const { user } = session.getState();
      if (user?.id === user_id && settings.display_name !== null)
        await session.updateUser({ ...user, name: settings.display_name });
    },
  });
}

/** Shares the user's center with friends, or stops sharing it. */
export function useUpdatePresence(user_id: string) {
  const queries = useQueryClient();
  return useMutation({
    scope: SETTINGS_SCOPE,
    mutationFn: (presence: boolean) => call(updateSettings, { body: { presence } }, { expected_user_id: user_id }),
    async onSuccess(settings) {
      await applySettings(queries, user_id, settings);
      // The location that this device reported is no longer needed, on the server or here.
      if (!settings.presence) await removeUserLocation(user_id);
    },
  });
}

export function useChangePublicId(user_id: string) {
  return useMutation({
    mutationFn: (public_id: string) => call(changePublicId, { body: { public_id } }, { expected_user_id: user_id }),
    async onSuccess({ public_id }) {
      const { user } = session.getState();
      if (user?.id === user_id) await session.updateUser({ ...user, public_id });
    },
  });
}

/** The user's sessions: this device first, then by last use. Loaded again at every visit, and copied to this device. */
export function listSessionsQuery(user_id: string) {
  return queryOptions({
    queryKey: sessionsKey(user_id),
    async queryFn({ signal }) {
      const { items } = await call(listSessions, {}, { signal, expected_user_id: user_id });
      const sorted = items.toSorted((a, b) => Number(b.current) - Number(a.current));
      session_copies.save(user_id, sorted);
      return sorted;
    },
    staleTime: 0,
  });
}

export function useEndSession(user_id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(endSession, { params: { id } }, { expected_user_id: user_id }),
    onSuccess(_, id) {
      const left = queries.getQueryData<UserSession[]>(sessionsKey(user_id))?.filter((item) => item.id !== id);
      if (!left) return;
      queries.setQueryData(sessionsKey(user_id), left);
      session_copies.save(user_id, left);
    },
    // The session may have been ended from another device: reload the list.
    onError: () => void queries.invalidateQueries({ queryKey: sessionsKey(user_id) }),
  });
}

export function getDeletionQuery(user_id: string) {
  return queryOptions({
    queryKey: ['users', user_id, 'deletion'],
    queryFn: ({ signal }) => call(getDeletion, {}, { signal, expected_user_id: user_id }),
  });
}

/** Undoes the deletion, and gets a token for the unlocked account. */
export function useRestoreAccount(user_id: string) {
  return useMutation({
    async mutationFn() {
      const { user } = await call(restoreMe, {}, { expected_user_id: user_id, idempotency_key: crypto.randomUUID() });
      await session.renew();
      await session.updateUser(user);
    },
  });
}
