import { useState } from 'react';
import { serverClock } from '#web/shared/api/client.ts';
import type { ActivityView } from '../data/activity-view.ts';
import { useActivityOps } from '../ops/use-activity-ops.ts';
import { useFailureToast } from '../ops/use-failure-toast.ts';
import { StopSheet } from './StopSheet.tsx';
import { isForgotten } from './stop.ts';

/** All ways to finish a running activity. For a forgotten activity, none of them assumes that it ended now. */
export function useFinish(activity: ActivityView, onFinished?: () => void) {
  const { finishActivity } = useActivityOps();
  const showFailure = useFailureToast();
  const [finishing, setFinishing] = useState(false);
  const [is_choosing_end, setChoosingEnd] = useState(false);

  function finishAt(ended_at?: number): void {
    setChoosingEnd(false);
    setFinishing(true);
    finishActivity(activity, ended_at).then(onFinished, (error: unknown) => {
      setFinishing(false);
      showFailure(error);
    });
  }

  return {
    finishing,
    /** Finishes now; for a forgotten activity, asks for the end first. */
    finish: () => (isForgotten(activity, serverClock.correctedNow()) ? setChoosingEnd(true) : finishAt()),
    openStopSheet: () => setChoosingEnd(true),
    /** The sheet to render; false while it is closed. */
    stop_sheet: is_choosing_end && (
      <StopSheet activity={activity} onStopped={finishAt} onClose={() => setChoosingEnd(false)} />
    ),
  };
}
