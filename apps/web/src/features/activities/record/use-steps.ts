import type { Op } from '@sendlap/contract/activities.ts';
import type { Intensity, Sport } from '@sendlap/domain/scoring.ts';
import { serverClock } from '#web/shared/api/client.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import type { ActivityDraft } from '#web/shared/outbox/store/records.ts';
import type { SaveOptions } from '#web/shared/outbox/store/save-op.ts';
import { type ActivityView, factsOf } from './activity-view.ts';
import type { EditChanges } from './edit.ts';
import { newFinish, newStart, type ScannedVenue, type StartPlace } from './steps.ts';

/**
 * The time in which a finish or a deletion can be taken back. A finish is sent at once and taken back by a step of its
 * own, so that the end of everybody who puts the phone away right after is known; of a deletion the sending is held.
 */
export const UNDO_MS = 5_000;

const newId = () => crypto.randomUUID();
const nowText = () => new Date(serverClock.correctedNow()).toISOString();

/** Steps of my activities. Each resolves when it is on this device's disk, network or not. */
export function useSteps() {
  const { id } = useUser();
  const save = (activity: ActivityView, op: Op, options: SaveOptions = {}) =>
    outbox.saveOp(id, op, { facts: factsOf(activity), ...options });
  return {
    /** Gives the new activity's client_id. */
    async startActivity(
      place: StartPlace,
      sport_type: Sport,
      intensity: Intensity,
      venue_scan?: ScannedVenue,
    ): Promise<string> {
      const about = { place, sport_type, intensity, venue_scan };
      const { op, facts } = newStart({ ...about, now: serverClock.correctedNow(), newId });
      await outbox.saveOp(id, op, { facts });
      return op.client_id;
    },
    /**
     * `ended_at` (ms epoch) where the athlete says when it was; else now. A finish with `venue_scan` is decided when it
     * arrives and can't be taken back.
     */
    async finishActivity(
      activity: ActivityView,
      ended_at = serverClock.correctedNow(),
      venue_scan?: ScannedVenue,
    ): Promise<void> {
      const op = newFinish({ activity, ended_at, venue_scan, newId });
      await save(activity, op, venue_scan ? {} : { undo_ms: UNDO_MS });
    },
    /** Takes the finish back; false when its time is over. */
    reopenActivity: (activity: ActivityView): Promise<boolean> =>
      outbox.reopen(id, { kind: 'reopen', op_id: newId(), client_id: activity.client_id }, factsOf(activity)),
    /** `center_name`: of the other center, where that is what changes. */
    async editActivity(activity: ActivityView, changes: EditChanges, center_name?: string): Promise<void> {
      const { client_id, refusal } = activity;
      const edited = { ...activity, ...(center_name ? { sport_center_name: center_name } : {}) };
      await save(edited, { kind: 'edit', op_id: newId(), client_id, edited_at: nowText(), ...changes });
      // A correction that the server refused is answered by this one, once that is kept.
      // Where that fails it stays to be seen: the correction is saved all the same.
      if (refusal) await outbox.discardDead(id, client_id).catch(() => {});
    },
    /** Gives the id by which it can be taken back for `UNDO_MS`. */
    async deleteActivity(activity: ActivityView): Promise<string> {
      const op_id = newId();
      await save(activity, { kind: 'delete', op_id, client_id: activity.client_id }, { hold_ms: UNDO_MS });
      return op_id;
    },
    async appealActivity(activity: ActivityView, reason: string): Promise<void> {
      const about = { op_id: newId(), client_id: activity.client_id, appealed_at: nowText() };
      await save(activity, { kind: 'appeal', ...about, ...(reason === '' ? {} : { reason }) });
    },
    async noteDraft(activity: ActivityView, draft: ActivityDraft): Promise<void> {
      await outbox.saveDraft(id, activity.client_id, draft, factsOf(activity));
    },
  };
}
