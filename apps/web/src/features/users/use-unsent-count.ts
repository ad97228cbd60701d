import { useState } from 'react';
import { outbox } from '#web/shared/outbox/client.ts';

/** The number of this user's unsent ops on this device; each `count` refreshes it. */
export function useUnsentCount(user_id: string) {
  const [unsent, setUnsent] = useState(0);
  const count = async (): Promise<number> => {
    // A database that can't be read has no ops that could be kept or discarded.
    const unsent_count = await outbox.countLocalOnly(user_id).catch(() => 0);
    setUnsent(unsent_count);
    return unsent_count;
  };
  return { unsent, count, resetCount: () => setUnsent(0) };
}
