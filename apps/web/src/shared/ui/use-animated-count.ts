import { useEffect, useRef, useState } from 'react';

interface CountOptions {
  /** The first value shown; by default the target. */
  from?: number;
  count_ms?: number;
}

/** Animates from the shown value to `target` whenever that changes; jumps if the user prefers reduced motion. */
export function useAnimatedCount(target: number, { from: first = target, count_ms = 700 }: CountOptions = {}): number {
  const [shown, setShown] = useState(() => (isMotionReduced() ? target : first));
  const latest = useRef(shown);
  useEffect(() => {
    const from = latest.current;
    if (from === target) return;
    const length_ms = isMotionReduced() ? 1 : count_ms;
    const began_at = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      const progress = Math.min(1, Math.max(0, now - began_at) / length_ms);
      // Ease-out: the last points are readable one by one.
      latest.current = Math.round(target - (target - from) * (1 - progress) ** 3);
      setShown(latest.current);
      if (progress < 1) frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [target, count_ms]);
  return shown;
}

function isMotionReduced(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
