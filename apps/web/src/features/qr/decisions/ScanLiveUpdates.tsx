import { isErrorCode } from '@sendlap/contract/wire/errors.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'wouter';
import { useUser } from '#web/shared/api/use-session.ts';
import { vibrate } from '#web/shared/device/haptics.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useLiveEvents } from '#web/shared/live/use-live-events.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import { PATHS } from '#web/shared/paths.ts';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { appealsKey } from './appeals.ts';
import { decisionsKey } from './decisions.ts';

/**
 * Tells a referee or friend, on any screen, the outcome of a scan that had waited for the athlete's ops or that another
 * decision overtook, and tells a referee about new appeals. Mounted once in the signed-in layout; renders nothing
 * itself.
 */
export function ScanLiveUpdates() {
  const { t } = useTranslation(['qr', 'errors']);
  const { id } = useUser();
  const queries = useQueryClient();
  const [path, navigate] = useLocation();
  // Catches up on events missed while the stream was closed: sending the waiting ops again returns their current
  // outcome.
  const catchUp = () => {
    void outbox.requeueWaitingScans(id);
    void queries.invalidateQueries({ queryKey: decisionsKey(id) });
    void queries.invalidateQueries({ queryKey: appealsKey(id) });
  };
  const catchUpOnce = useEffectEvent(catchUp);
  useEffect(() => catchUpOnce(), []);
  useLiveEvents((event) => {
    if (event.type === 'opened' && !event.resumed) catchUp();
    if (event.type === 'appeal_asked') {
      void queries.invalidateQueries({ queryKey: appealsKey(id) });
      if (path === PATHS.decisions) return;
      toast({
        title: t('asked.title'),
        description: t('asked.news', { center: event.sport_center_name }),
        action: { label: t('news.action'), onPress: () => navigate(PATHS.decisions) },
      });
    }
    if (event.type !== 'scan_decided') return;
    const { outcome, code } = event;
    void outbox.store.applyScanDecision(event);
    void queries.invalidateQueries({ queryKey: decisionsKey(id) });
    if (path === PATHS.decisions) return;
    vibrate(outcome === 'accepted' ? 'success' : 'refused');
    const why = code !== null && isErrorCode(code) ? t(`errors:${code}`) : undefined;
    toast({
      title: t(`news.${outcome}`),
      ...(why === undefined ? {} : { description: why }),
      tone: outcome === 'rejected' ? 'error' : outcome === 'accepted' ? 'success' : 'plain',
      action: { label: t('news.action'), onPress: () => navigate(PATHS.decisions) },
    });
  });
  return null;
}
