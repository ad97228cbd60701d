import { Suspense, useEffect, useState } from 'react';
import { whenIdle } from '#web/shared/device/idle.ts';
import { page } from '../page.ts';

const OfflineKeeper = page(() => import('./OfflineKeeper.tsx').then((m) => m.OfflineKeeper), ['offline']).component();

/** What keeps copies for times without network comes after everything that somebody waits for. */
export function LateOfflineKeeper() {
  const [idle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  return idle ? (
    <Suspense fallback={null}>
      <OfflineKeeper />
    </Suspense>
  ) : null;
}
