import { useEffect, useState } from 'react';

const COUNT_UP_MS = 900;

/** Runs from 0 to `target` once when `active`; else, and where less motion is asked for, it simply is `target`. */
export function useCountUp(target: number, active: boolean): number {
  const [share, setShare] = useState(1);
  useEffect(() => {
    if (!active || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    let frame = 0;
    const began_at = performance.now();
    const step = (now: number) => {
      const passed = Math.min(1, (now - began_at) / COUNT_UP_MS);
      // Fast first, then slower: the last points are read one by one.
      setShare(1 - (1 - passed) ** 3);
      if (passed < 1) frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    return () => {
      cancelAnimationFrame(frame);
      setShare(1);
    };
  }, [active]);
  return Math.round(target * share);
}
