import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useUser } from '#web/shared/api/use-session.ts';
import { useHoldUpdates } from '#web/shared/device/hold-updates.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { isOffered, NOT_STARTED, TOUR_STEPS, type TourProgress } from './tour-steps.ts';
import { useTourProgress } from './use-tour-progress.ts';

/** Query of the home screen's address that starts the tour at once. */
const START_PARAM = 'tour';

/**
 * Offers the tour on the home screen, unless `held` (something more important is running), and runs it, also by the
 * address.
 */
export function TourOffer({ held }: { held: boolean }) {
  const { t } = useTranslation('tour');
  const user = useUser();
  const search = useSearch();
  const [path, navigate] = useLocation();
  const { progress, saveProgress } = useTourProgress(user.id);
  const start = useTour(saveProgress);
  const [opened_at] = useState(Date.now);
  const is_requested = new URLSearchParams(search).has(START_PARAM);
  const startFromLink = useEffectEvent(() => {
    navigate(path, { replace: true });
    start(0);
  });
  useEffect(() => {
    if (is_requested) startFromLink();
  }, [is_requested]);

  const decline = () => {
    focusTitle();
    saveProgress({ ...NOT_STARTED, is_over: true });
  };
  if (held || !progress || !isOffered(progress, Date.parse(user.created_at), opened_at)) return null;
  const has_started = progress.step > 0;
  return (
    <Card as="section" tone="accent" aria-labelledby="tour-offer" className="flex flex-col gap-3 rounded-xl p-5">
      <div>
        <h2 id="tour-offer" className="text-xl font-bold">
          {t(has_started ? 'offer.goOnTitle' : 'offer.title')}
        </h2>
        <p className="mt-1 text-ink-soft">
          {t(has_started ? 'offer.goOnText' : 'offer.text', { step: progress.step + 1, total: TOUR_STEPS.length })}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => start(progress.step)}>
          {t(has_started ? 'offer.goOn' : 'offer.start')}
        </Button>
        <Button size="sm" kind="quiet" onClick={decline}>
          {t('offer.no')}
        </Button>
      </div>
    </Card>
  );
}

/**
 * Returns the function that starts the tour at a step. Lazy-loads the tour; it ends with the screen, and holds back
 * update and install prompts while it runs. `saveProgress` is called on every step and after the last one.
 */
function useTour(saveProgress: (progress: TourProgress) => void): (from: number) => void {
  const { t } = useTranslation('tour');
  const [from, setFrom] = useState<number | null>(null);
  useHoldUpdates(from !== null);
  const onStep = useEffectEvent((step: number) => saveProgress({ step, is_over: false }));
  const onEnd = useEffectEvent((is_over: boolean) => {
    if (is_over) {
      focusTitle();
      saveProgress({ ...NOT_STARTED, is_over });
    }
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
    const controller = new AbortController();
    void run(from, controller.signal);
    return () => controller.abort();
  }, [from]);
  return setFrom;
}

/** The offer goes, and with it the button that has the focus. */
function focusTitle(): void {
  const title = document.querySelector('h1');
  if (!title) return;
  title.tabIndex = -1;
  title.focus({ preventScroll: true });
}
