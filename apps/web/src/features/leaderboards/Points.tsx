import { useEffect, useRef, useState } from 'react';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';

/** Points that count up to the eye; a voice says what they are. */
export function Points({ points, className }: { points: number; className: string }) {
  const { t } = useTranslation('leaderboards');
  const locale = useLocale();
  const shown = useCountTo(points);
  return (
    <span className={className}>
      <span aria-hidden="true">{shown.toLocaleString(locale)}</span>
      <span className="sr-only">{t('points', { count: points })}</span>
    </span>
  );
}

const COUNT_MS = 700;

/** Counts from what was shown to `target` whenever that changes; at once where less motion is asked for. */
function useCountTo(target: number): number {
  const [shown, setShown] = useState(target);
  const latest = useRef(target);
  useEffect(() => {
    const from = latest.current;
    if (from === target) return;
    const count_ms = matchMedia('(prefers-reduced-motion: reduce)').matches ? 1 : COUNT_MS;
    const began_at = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      const passed = Math.min(1, Math.max(0, now - began_at) / count_ms);
      // Fast first, then slower: the last points are read one by one.
      latest.current = Math.round(target - (target - from) * (1 - passed) ** 3);
      setShown(latest.current);
      if (passed < 1) frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [target]);
  return shown;
}
