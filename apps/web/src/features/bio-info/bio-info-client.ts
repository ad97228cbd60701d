import { useEffect, useSyncExternalStore } from 'react';
import { call, session } from '#web/shared/api/client.ts';
import { loadMetadata, saveMetadata } from '#web/shared/copies/metadata.ts';
import { loadBioInfo, removeBioInfo, saveBioInfo } from '#web/shared/local-db/bio-info.ts';
import { type BioInfoFlowState, createBioInfoFlow } from './bio-info-flow.ts';

const postponedKey = (user_id: string) => `bio_info_postponed:${user_id}`;

/** How long the user data from start-up is trusted; another device may save body data. */
const CONFIRMATION_MAX_AGE_MS = 60_000;

/** The body data of the signed-in user. */
export const bioInfoFlow = createBioInfoFlow({
  call,
  userId: () => session.getState().user?.id ?? null,
  async isConfirmedEmpty(user_id) {
    await session.start();
    const confirmed_at = session.confirmedAt(user_id);
    const { user } = session.getState();
    if (user?.id !== user_id || confirmed_at === null || performance.now() - confirmed_at > CONFIRMATION_MAX_AGE_MS)
      return false;
    return user.age === 0 && user.weight_kg === 0 && user.height_cm === 0;
  },
  copies: {
    load: loadBioInfo,
    save: (bio_info) => saveBioInfo(bio_info, () => session.getState().user?.id === bio_info.user_id),
    remove: removeBioInfo,
    isPostponed: async (user_id) => (await loadMetadata(postponedKey(user_id))) === true,
    postpone: (user_id) => saveMetadata(postponedKey(user_id), true, user_id),
  },
  onServerValue(user_id, bio_info) {
    const { user } = session.getState();
    if (user?.id !== user_id) return;
    const { age, weight_kg, height_cm } = bio_info ?? { age: 0, weight_kg: 0, height_cm: 0 };
    if (user.age === age && user.weight_kg === weight_kg && user.height_cm === height_cm) return;
    void session.updateUser({ ...user, age, weight_kg, height_cm });
  },
  now: () => performance.now(),
  newKey: () => crypto.randomUUID(),
});

session.onSignedOut(() => bioInfoFlow.signOut());

/** The flow's state. With `check`, asks the server when the screen mounts and when the network is back. */
export function useBioInfo(check = false): BioInfoFlowState {
  useEffect(() => {
    if (!check) return;
    const checkServer = () => void bioInfoFlow.check();
    checkServer();
    addEventListener('online', checkServer);
    return () => removeEventListener('online', checkServer);
  }, [check]);
  return useSyncExternalStore(bioInfoFlow.subscribe, bioInfoFlow.getState, bioInfoFlow.getState);
}
