import { useEffect, useState } from 'react';
import { whenIdle } from '#web/shared/device/idle.ts';
import { late } from '#web/shared/ui/late.tsx';

const LocationKeeper = late<{ user_id: string }>(() => import('./LocationKeeper.tsx').then((m) => m.LocationKeeper));

/** Where the athlete is can wait until everything that somebody looks at is there. */
export function LateLocationKeeper({ user_id }: { user_id: string }) {
  const [idle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  return idle ? <LocationKeeper user_id={user_id} /> : null;
}
