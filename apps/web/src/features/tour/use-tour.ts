import { useEffect, useEffectEvent, useState } from 'react';
import { useHoldUpdates } from '#web/shared/device/hold-updates.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { toast } from '#web/shared/ui/toast.ts';
import { NOT_BEGUN, type TourProgress } from './tour-steps.ts';

/**
 * Gives what begins the tour at a step. Its code is fetched only then; it ends with the screen, and nothing else asks
 * for attention meanwhile. `keep` hears of every step and of the end.
 */
export function useTour(keep: (progress: TourProgress) => void): (from: number) => void {
  const { t } = useTranslation('tour');
  const [from, setFrom] = useState<number | null>(null);
  useHoldUpdates(from !== null);
  const onStep = useEffectEvent((step: number) => keep({ step, is_over: false }));
  const onEnd = useEffectEvent((is_over: boolean) => {
    if (is_over) keep({ ...NOT_BEGUN, is_over });
    setFrom(null);
  });
  const run = useEffectEvent(async (step: number, signal: AbortSignal) => {
    try {
      const { runTour } = await import('./run-tour.ts');
      if (!signal.aborted) signal.addEventListener('abort', runTour({ t, from: step, onStep, onEnd }));
    } catch {
      toast({ title: t('failed'), tone: 'error' });
      setFrom(null);
    }
  });
  useEffect(() => {
    if (from === null) return;
    const ending = new AbortController();
    void run(from, ending.signal);
    return () => ending.abort();
  }, [from]);
  return setFrom;
}
