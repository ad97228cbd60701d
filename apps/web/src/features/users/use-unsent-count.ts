import { useState } from 'react';
import { outbox } from '#web/shared/outbox/client.ts';

/** The number of this user's unsent ops on this device; each `count` refreshes it. */
export function useUnsentCount(user_id: string) {
  const [unsent, setUnsent] = useState(0);
  const count = async (): Promise<number> => {
    // A database that can't be read has no ops that could be kept or discarded.
    const waiting = await outbox.keptCount(user_id).catch(() => 0);
    setUnsent(waiting);
    return waiting;
  };
  return { unsent, count, forget: () => setUnsent(0) };
}
