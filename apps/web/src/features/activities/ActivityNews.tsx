import type { Activity } from '@sendlap/contract/activities.ts';
import { useLocation } from 'wouter';
import { vibrate } from '#web/shared/device/haptics.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { toast } from '#web/shared/ui/toast.ts';
import { activityPath } from './links.ts';
import { useActivityNews } from './use-activity-news.ts';

/**
 * Keeps all activity screens up to date and celebrates a confirmation wherever the athlete is. Stands once, in the
 * signed-in layout; shows nothing itself. The activity's own screens (timer, code) celebrate by themselves.
 */
export function ActivityNews() {
  const { t } = useTranslation('activities');
  const [path, navigate] = useLocation();
  useActivityNews((activity: Activity) => {
    const own = activityPath(activity.client_id);
    if (path === own || path.startsWith('/qr/generate')) return;
    vibrate('success');
    toast({
      title: t('celebrate.title'),
      description: `${t('celebrate.text', { count: activity.points })} · ${activity.sport_center_name}`,
      tone: 'success',
      action: { label: t('start.busyAction'), onPress: () => navigate(own) },
    });
  });
  return null;
}
