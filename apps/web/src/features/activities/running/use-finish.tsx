import { useState } from 'react';
import { serverClock } from '#web/shared/api/client.ts';
import type { ActivityView } from '../record/activity-view.ts';
import { isForgotten } from '../record/stop.ts';
import { useFailureToast } from '../record/use-failure-toast.ts';
import { useSteps } from '../record/use-steps.ts';
import { StopSheet } from './StopSheet.tsx';

/** All ways to finish a running activity. For a forgotten activity, none of them assumes that it ended now. */
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
    /** Finishes now; for a forgotten activity, asks for the end first. */
    finish: () => (isForgotten(activity, serverClock.correctedNow()) ? setAsking(true) : finishAt()),
    ask: () => setAsking(true),
    /** The question to render; false while it is closed. */
    question: asking && <StopSheet activity={activity} onStopped={finishAt} onClose={() => setAsking(false)} />,
  };
}
