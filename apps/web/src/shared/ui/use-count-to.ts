import { useEffect, useRef, useState } from 'react';

interface CountOptions {
  /** What is shown at first; else the target. */
  from?: number;
  count_ms?: number;
}

/** Counts from what was shown to `target` whenever that changes; at once where less motion is asked for. */
export function useCountTo(target: number, { from: first = target, count_ms = 700 }: CountOptions = {}): number {
  const [shown, setShown] = useState(() => (isMotionReduced() ? target : first));
  const latest = useRef(shown);
  useEffect(() => {
    const from = latest.current;
    if (from === target) return;
    const length_ms = isMotionReduced() ? 1 : count_ms;
    const began_at = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      const passed = Math.min(1, Math.max(0, now - began_at) / length_ms);
      // Fast first, then slower: the last points are read one by one.
      latest.current = Math.round(target - (target - from) * (1 - passed) ** 3);
      setShown(latest.current);
      if (passed < 1) frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [target, count_ms]);
  return shown;
}

function isMotionReduced(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
