import { type ReactNode, useEffect, useState } from 'react';
import { whenIdle } from '#web/shared/device/idle.ts';

/** Renders `children` once the page has loaded and the browser is idle; `before` until then. */
export function WhenIdle({ before = null, children }: { before?: ReactNode; children: ReactNode }) {
  const [idle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  return idle ? children : before;
}
