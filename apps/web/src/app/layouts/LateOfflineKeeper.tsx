import { useEffect, useState } from 'react';
import { whenIdle } from '#web/shared/device/idle.ts';
import { late } from '#web/shared/ui/late.tsx';

const OfflineKeeper = late(() => import('./OfflineKeeper.tsx').then((m) => m.OfflineKeeper), ['offline']);

/** What keeps copies for times without network comes after everything that somebody waits for. */
export function LateOfflineKeeper() {
  const [idle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  return idle ? <OfflineKeeper /> : null;
}
