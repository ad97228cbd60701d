import { useState } from 'react';
import { outbox } from '#web/shared/outbox/client.ts';
import { sealedWork } from '#web/shared/outbox/sealed/client.ts';

/**
 * The number of this user's unsent items on this device, and whether they can be sealed at the sign-out; each `count`
 * refreshes both. `discard` discards them all, and returns false if some are left: the device could not delete.
 */
export function useUnsentCount(user_id: string) {
  const [unsent, setUnsent] = useState(0);
  const [can_seal, setCanSeal] = useState(true);
  const count = async (): Promise<number> => {
    // A database that can't be read at first has no ops that could be kept or discarded.
    const unsent_count = await outbox.store.countLocalOnly(user_id).catch(() => unsent);
    setCanSeal(unsent_count === 0 || (await sealedWork.canSeal(user_id).catch(() => false)));
    setUnsent(unsent_count);
    return unsent_count;
  };
  const discard = (): Promise<boolean> =>
    outbox.store.discardAll(user_id).then(
      () => true,
      // The last of them may have been sent in the meantime.
      async () => (await count()) === 0,
    );
  return { unsent, can_seal, count, discard, resetCount: () => setUnsent(0) };
}
