import { useState } from 'react';
import { serverClock } from '#web/shared/api/client.ts';
import type { ActivityView } from '../record/activity-view.ts';
import { isForgotten } from '../record/stop.ts';
import { useFailureToast } from '../record/use-failure-toast.ts';
import { useSteps } from '../record/use-steps.ts';
import { StopSheet } from './StopSheet.tsx';

/** Every way to finish a running activity: none takes "now" for an answer from one that was forgotten. */
export function useFinish(activity: ActivityView, onFinished?: () => void) {
  const { finishActivity } = useSteps();
  const fail = useFailureToast();
  const [finishing, setFinishing] = useState(false);
  const [asking, setAsking] = useState(false);

  function finishAt(ended_at?: number): void {
    setAsking(false);
    setFinishing(true);
    finishActivity(activity, ended_at).then(onFinished, (error: unknown) => {
      setFinishing(false);
      fail(error);
    });
  }

  return {
    finishing,
    /** Finishes now; a forgotten activity asks first. */
    finish: () => (isForgotten(activity, serverClock.correctedNow()) ? setAsking(true) : finishAt()),
    ask: () => setAsking(true),
    /** To be rendered; false while it is not asked. */
    question: asking && <StopSheet activity={activity} onStopped={finishAt} onClose={() => setAsking(false)} />,
  };
}
