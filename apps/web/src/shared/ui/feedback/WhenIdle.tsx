import { type ReactNode, useEffect, useState } from 'react';
import { whenIdle } from '#web/shared/device/idle.ts';

/** Whether the page has loaded and the browser was idle since. */
export function useIdle(): boolean {
  const [idle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  return idle;
}

/** Renders `children` once the page has loaded and the browser is idle. */
export function WhenIdle({ children }: { children: ReactNode }) {
  return useIdle() && children;
}
