import type { Activity } from '@sendlap/contract/activities.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useUser } from '#web/shared/api/use-session.ts';
import { useLiveEvents } from '#web/shared/live/use-live-events.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import { keepActivity, refetchActivities } from './queries.ts';

/**
 * Keeps all activity screens up to date from the live stream and from the answers to this device's own steps.
 * Stands once, in the signed-in layout. `onValidated` hears of every confirmation as it happens.
 */
export function useActivityNews(onValidated?: (activity: Activity) => void): void {
  const { id } = useUser();
  const queries = useQueryClient();
  useLiveEvents((news) => {
    if (news.type === 'opened' && !news.resumed) refetchActivities(queries, id);
    if (news.type !== 'activity_changed') return;
    keepActivity(queries, id, news.activity);
    if (news.activity.status === 'validated') onValidated?.(news.activity);
  });
  const keepResults = useEffectEvent((activities: Activity[]) => {
    for (const activity of activities) keepActivity(queries, id, activity);
  });
  useEffect(() => outbox.onResults((results) => keepResults(results.flatMap((result) => result.activity ?? []))), []);
}
