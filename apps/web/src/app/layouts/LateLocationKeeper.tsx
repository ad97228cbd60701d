import { Suspense, useEffect, useState } from 'react';
import { whenIdle } from '#web/shared/device/idle.ts';
import { page } from '../page.ts';

const LocationKeeper = page<{ user_id: string }>(() =>
  import('./LocationKeeper.tsx').then((m) => m.LocationKeeper),
).component();

/** Where the athlete is can wait until everything that somebody looks at is there. */
export function LateLocationKeeper({ user_id }: { user_id: string }) {
  const [idle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  return idle ? (
    <Suspense fallback={null}>
      <LocationKeeper user_id={user_id} />
    </Suspense>
  ) : null;
}
