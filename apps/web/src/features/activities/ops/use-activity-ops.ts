import type { Op } from '@sendlap/contract/activities.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import { serverClock } from '#web/shared/api/client.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { ensureDeviceKey } from '#web/shared/data/device-key.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import { correctDraft } from '#web/shared/outbox/store/paused-time.ts';
import type { ActivityDraft } from '#web/shared/outbox/store/records.ts';
import type { SaveOptions } from '#web/shared/outbox/store/save-op.ts';
import { UNDO_MS } from '#web/shared/outbox/undo-time.ts';
import { type ActivityView, factsOf } from '../data/activity-view.ts';
import { createFinishOp, createStartOp, type StartCenter, type StartOpInput, type VenueScan } from './activity-ops.ts';
import type { EditChanges } from './edit.ts';

const newId = () => crypto.randomUUID();
const nowText = () => new Date(serverClock.correctedNow()).toISOString();

/** The ops of my activities. Each promise resolves once the op is on this device's disk, online or not. */
export function useActivityOps() {
  const { id } = useUser();
  const save = (activity: ActivityView, op: Op, options: SaveOptions = {}) =>
    outbox.saveOp(id, op, { facts: factsOf(activity), ...options });
  return {
    /** Returns the new activity's client_id. */
    async startActivity(
      center: StartCenter,
      sport_type: Sport,
      options: Pick<StartOpInput, 'intensity' | 'venue_scan'> = {},
    ): Promise<string> {
      const now = serverClock.correctedNow();
      const { op, facts } = createStartOp({ ...options, center, sport_type, now, newId });
      await outbox.saveOp(id, op, { facts });
      // The finished activity's code is often signed without a network. The server also counts one account of an
      // installation per visit to a kiosk.
      void ensureDeviceKey(id).catch(() => undefined);
      return op.client_id;
    },
    /**
     * `ended_at` (ms epoch): the end that the athlete entered; default now. A finish with `venue_scan` is decided on
     * arrival and can't be undone.
     */
    async finishActivity(
      activity: ActivityView,
      ended_at = serverClock.correctedNow(),
      venue_scan?: VenueScan,
    ): Promise<void> {
      const draft = activity.draft && correctDraft(activity.draft, serverClock.measurement());
      // A later correction of the end subtracts the same pauses.
      if (draft && draft !== activity.draft) await outbox.saveDraft(id, activity.client_id, draft, factsOf(activity));
      const op = createFinishOp({ activity: { ...activity, draft }, ended_at, venue_scan, newId });
      // Sent at once and undone by its own op: the server has the end even if the athlete puts the phone away right after.
      await save(activity, op, venue_scan ? {} : { undo_ms: UNDO_MS });
    },
    /** Undoes the finish; returns false if the undo time is over. */
    reopenActivity: (activity: ActivityView): Promise<boolean> =>
      outbox.reopen(id, { kind: 'reopen', op_id: newId(), client_id: activity.client_id }, factsOf(activity)),
    /** `center_name`: the other center's name, if the center changes. */
    async editActivity(activity: ActivityView, changes: EditChanges, center_name?: string): Promise<void> {
      const { client_id, refusal } = activity;
      const edited = { ...activity, ...(center_name ? { sport_center_name: center_name } : {}) };
      await save(edited, { kind: 'edit', op_id: newId(), client_id, edited_at: nowText(), ...changes });
      // The saved correction supersedes the refused op. If discarding that op fails, it stays visible; the correction
      // is saved anyway.
      if (refusal) await outbox.store.discardDead(id, client_id).catch(() => {});
    },
    /** Returns the op_id, by which the deletion can be undone for `UNDO_MS`. */
    async deleteActivity(activity: ActivityView): Promise<string> {
      const op_id = newId();
      await save(activity, { kind: 'delete', op_id, client_id: activity.client_id }, { hold_ms: UNDO_MS });
      return op_id;
    },
    async appealActivity(activity: ActivityView, reason: string): Promise<void> {
      const op_fields = { op_id: newId(), client_id: activity.client_id, appealed_at: nowText() };
      await save(activity, { kind: 'appeal', ...op_fields, ...(reason === '' ? {} : { reason }) });
    },
    async saveDraft(activity: ActivityView, draft: ActivityDraft): Promise<void> {
      await outbox.saveDraft(id, activity.client_id, draft, factsOf(activity));
    },
  };
}
