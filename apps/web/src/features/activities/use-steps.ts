import type { Intensity, Sport } from '@sendlap/domain/scoring.ts';
import { serverClock } from '#web/shared/api/client.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import type { ActivityDraft } from '#web/shared/outbox/records.ts';
import { type ActivityView, factsOf } from './activity-view.ts';
import { newFinish, newStart, type StartPlace } from './steps.ts';

/**
 * The time in which a finish can be taken back. The finish is written to the disk at once and only its sending is
 * held: an app that is killed in these seconds has still saved when the activity ended, and sends it at its next
 * start. Writing it after the time was over would lose the end of everybody who puts the phone away right after.
 */
export const UNDO_FINISH_MS = 5_000;

const newId = () => crypto.randomUUID();

/** Start, finish and notes of my activities. Each resolves when it is on this device's disk, network or not. */
export function useSteps() {
  const user = useUser();
  return {
    /** Gives the new activity's client_id. */
    async startActivity(place: StartPlace, sport_type: Sport, intensity: Intensity): Promise<string> {
      const { op, facts } = newStart({ place, sport_type, intensity, now: serverClock.correctedNow(), newId });
      await outbox.saveOp(user.id, op, { facts });
      return op.client_id;
    },
    /** `ended_at` (ms epoch) where the athlete says when it was; else now. */
    async finishActivity(activity: ActivityView, ended_at = serverClock.correctedNow()): Promise<void> {
      const op = newFinish({ activity, ended_at, newId });
      await outbox.saveOp(user.id, op, { facts: factsOf(activity), hold_ms: UNDO_FINISH_MS });
    },
    async noteDraft(activity: ActivityView, draft: ActivityDraft): Promise<void> {
      await outbox.saveDraft(user.id, activity.client_id, draft, factsOf(activity));
    },
    retryRefused: (client_id: string) => outbox.retryDead(user.id, client_id),
    discardRefused: (client_id: string) => outbox.discardDead(user.id, client_id),
  };
}
