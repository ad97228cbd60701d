import { beginPause, endPause, isPaused, type NotedMoment, type Pause } from '@sendlap/domain/recording/pauses.ts';
import type { Units } from '@sendlap/domain/units.ts';
import { useState } from 'react';
import { serverClock } from '#web/shared/api/client.ts';
import { correctDraft } from '#web/shared/outbox/store/paused-time.ts';
import type { ActivityDraft } from '#web/shared/outbox/store/records.ts';
import { useUnits } from '#web/shared/units/chosen-units.ts';
import type { ActivityView } from '../data/activity-view.ts';
import { useActivityOps } from '../ops/use-activity-ops.ts';
import { useFailureToast } from '../ops/use-failure-toast.ts';
import { defaultPool } from './pools.ts';

const NO_PAUSES: readonly Pause[] = [];

interface Draft {
  draft: ActivityDraft;
  /** Corrected as far as the clock is known. */
  pauses: readonly Pause[];
  is_paused: boolean;
  updateDraft: (draft: ActivityDraft) => void;
  /** Pauses the activity, or resumes it. */
  togglePause: () => void;
}

/** The athlete's notes of a running activity, which only this device has until the finish. */
export function useDraft(activity: ActivityView): Draft {
  const { saveDraft } = useActivityOps();
  const showFailure = useFailureToast();
  // The draft that is not on the disk yet, so that two quick taps count two lengths. null once it is written: the disk
  // may then hold a newer draft from another tab.
  const [pending_draft, setPendingDraft] = useState<ActivityDraft | null>(null);
  const { swimming } = useUnits();
  const draft = correctDraft(pending_draft ?? currentDraft(activity, swimming), serverClock.measurement());
  const pauses = draft.pauses ?? NO_PAUSES;
  const is_paused = isPaused(pauses);

  const updateDraft = (next: ActivityDraft) => {
    setPendingDraft(next);
    saveDraft(activity, next).then(() => setPendingDraft((newest) => (newest === next ? null : newest)), showFailure);
  };

  return {
    draft,
    pauses,
    is_paused,
    updateDraft,
    togglePause() {
      const change = is_paused ? endPause : beginPause;
      updateDraft({ ...draft, pauses: change(pauses, noteMoment()) });
    },
  };
}

/** Returns the draft saved so far; before the first one, a draft with the values of the start. */
function currentDraft({ draft, intensity }: ActivityView, unit: Units['swimming']): ActivityDraft {
  return draft ?? { intensity, pool_length_m: defaultPool(unit), lengths: 0 };
}

/** Returns the present, with what the next contact needs to correct it if the clock proves nothing. */
function noteMoment(): NotedMoment {
  const clock = serverClock.clockNote();
  return { at_ms: serverClock.correctedNow(), ...(clock ? { clock } : {}) };
}
