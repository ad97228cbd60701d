import { useState } from 'react';
import { outbox } from '#web/shared/outbox/client.ts';

/** How many steps of this user wait on this device, counted anew by each `count`. */
export function useUnsentCount(user_id: string) {
  const [unsent, setUnsent] = useState(0);
  const count = async (): Promise<number> => {
    // A database that can't be read has nothing that could be kept or discarded.
    const waiting = await outbox.keptCount(user_id).catch(() => 0);
    setUnsent(waiting);
    return waiting;
  };
  return { unsent, count, forget: () => setUnsent(0) };
}
