import type { Activity } from '@sendlap/contract/activities.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'wouter';
import { useUser } from '#web/shared/api/use-session.ts';
import { vibrate } from '#web/shared/device/haptics.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useLiveEvents } from '#web/shared/live/use-live-events.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import { activityPath, PATHS } from '#web/shared/paths.ts';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { applyServerActivity, isBackToRunning, refetchActivities } from './data/queries.ts';
import { isOverlapCode } from './sync/overlap.ts';
import { useRetryAfterRunning } from './sync/use-retry-after-running.ts';

/**
 * Updates all activity screens from the live stream and from the results of this device's own ops, and celebrates a
 * confirmation wherever the athlete is; the activity's own screens (timer, code) celebrate by themselves. Mounted once,
 * in the signed-in layout; renders nothing.
 */
export function ActivityLiveUpdates() {
  const { t } = useTranslation('activities');
  const [path, navigate] = useLocation();
  const { id } = useUser();
  const queries = useQueryClient();
  const celebrate = (activity: Activity) => {
    const own_path = activityPath(activity.client_id);
    if (path === own_path || path.startsWith(PATHS.generate)) return;
    vibrate('success');
    toast({
      title: t('celebrate.title'),
      description: `${t('celebrate.text', { count: activity.points })} · ${activity.sport_center_name}`,
      tone: 'success',
      action: { label: t('start.busyAction'), onPress: () => navigate(own_path) },
    });
  };
  useLiveEvents((event) => {
    if (event.type === 'opened' && !event.resumed) refetchActivities(queries, id);
    if (event.type !== 'activity_changed') return;
    if (isBackToRunning(queries, id, event.activity)) return refetchActivities(queries, id);
    applyServerActivity(queries, id, event.activity);
    if (event.activity.status === 'validated') celebrate(event.activity);
  });
  const applyResults = useEffectEvent((activities: Activity[]) => {
    // Only the last state of each: the app may end before the next one is copied.
    const latest = new Map(activities.map((activity) => [activity.client_id, activity]));
    for (const activity of latest.values()) applyServerActivity(queries, id, activity);
  });
  const showOther = useEffectEvent(() => refetchActivities(queries, id));
  useEffect(
    () =>
      outbox.onResults((results) => {
        applyResults(results.flatMap((result) => result.activity ?? []));
        // The op overlaps an activity of another phone: loads it, so that the athlete can be asked about both.
        if (results.some(({ outcome, code }) => outcome === 'rejected' && isOverlapCode(code))) showOther();
      }),
    [],
  );
  useRetryAfterRunning();
  return null;
}
