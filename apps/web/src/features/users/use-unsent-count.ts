import { useState } from 'react';
import { outbox } from '#web/shared/outbox/client.ts';
import { sealedWork } from '#web/shared/outbox/sealed/client.ts';

/**
 * The number of this user's unsent items on this device, and whether they can be sealed at the sign-out; each `count`
 * refreshes both.
 */
export function useUnsentCount(user_id: string) {
  const [unsent, setUnsent] = useState(0);
  const [can_seal, setCanSeal] = useState(true);
  const count = async (): Promise<number> => {
    // A database that can't be read has no ops that could be kept or discarded.
    const unsent_count = await outbox.store.countLocalOnly(user_id).catch(() => 0);
    setCanSeal(unsent_count === 0 || (await sealedWork.canSeal(user_id).catch(() => false)));
    setUnsent(unsent_count);
    return unsent_count;
  };
  return { unsent, can_seal, count, resetCount: () => setUnsent(0) };
}
