import { useEffect, useRef } from 'react';
import { useUser } from '#web/shared/api/use-session.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import { useOutbox } from '#web/shared/outbox/use-outbox.ts';
import { findRunning, mergeActivities } from '../data/activity-view.ts';
import { useNewestActivities } from '../data/use-activities.ts';

/**
 * Sends an activity again that was refused because another one was running, once the server's list, read after the
 * refusal, shows none. At most once per page: afterwards its card offers it.
 */
export function useRetryAfterRunning(): void {
  const { id } = useUser();
  const rows = useOutbox();
  const { data, dataUpdatedAt } = useNewestActivities(id);
  const none_runs = data !== undefined && findRunning(mergeActivities(rows, data)) === null;
  const waiting = rows.dead.filter(
    ({ kind, code, died_at, had_ended }) =>
      kind === 'start' && code === 'activity_already_active' && died_at < dataUpdatedAt && !had_ended,
  );
  const retried_ids = useRef(new Set<string>());
  const ready_id = none_runs
    ? waiting.find(({ client_id }) => !retried_ids.current.has(client_id))?.client_id
    : undefined;
  useEffect(() => {
    if (ready_id === undefined || retried_ids.current.has(ready_id)) return;
    retried_ids.current.add(ready_id);
    // If it can't be saved, its card still offers it.
    outbox.retryDead(id, ready_id).catch(() => {});
  }, [id, ready_id]);
}
