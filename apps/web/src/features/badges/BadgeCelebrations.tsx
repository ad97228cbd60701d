import type { BadgeId } from '@sendlap/domain/progress/badges.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { serverClock } from '#web/shared/api/client.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { vibrate } from '#web/shared/device/haptics.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useLiveEvents } from '#web/shared/live/use-live-events.ts';
import { useLiveReady } from '#web/shared/live/use-live-ready.ts';
import { badgePath, PATHS } from '#web/shared/paths.ts';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { listBadgesQuery } from './queries.ts';
import { useBadgeText } from './use-badge-text.ts';
import { badgesEarnedSince } from './weekly-progress.ts';

/** One validation may earn several badges; they are celebrated together. */
const BATCH_MS = 400;
/** A badge may have been earned up to this long before this code loaded, without being celebrated. */
const MAX_LOAD_DELAY_MS = 60_000;

/** Badges celebrated since this page loaded: user id and badge. */
const celebrated = new Set<string>();

/**
 * Returns the start of the page, ms epoch by the server's clock: badges earned before were celebrated in another page.
 */
function pageStartTime(): number {
  return serverClock.correctedNow() - Math.min(performance.now(), MAX_LOAD_DELAY_MS);
}

/**
 * Celebrates each badge once, wherever the athlete is; also a badge earned while the stream was down or before this
 * code loaded. Mounted once, in the signed-in layout; renders nothing.
 */
export function BadgeCelebrations() {
  const { t } = useTranslation('badges');
  const { id: user_id } = useUser();
  const queries = useQueryClient();
  const text = useBadgeText();
  const [, navigate] = useLocation();
  const [page_started_at] = useState(pageStartTime);
  const queued = useRef<BadgeId[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const celebrate = () => {
    const ids = queued.current;
    queued.current = [];
    const [first] = ids;
    if (!first) return;
    vibrate('success');
    toast({
      title: t('news.title', { count: ids.length }),
      description: ids.map((id) => text.name(id)).join(', '),
      tone: 'success',
      action: {
        label: t('news.action', { count: ids.length }),
        onPress: () => navigate(ids.length > 1 ? PATHS.badges : badgePath(first)),
      },
    });
  };
  const queueCelebration = (badges: BadgeId[]) => {
    const uncelebrated = badges.filter((id) => !celebrated.has(`${user_id} ${id}`));
    if (uncelebrated.length === 0) return;
    for (const id of uncelebrated) celebrated.add(`${user_id} ${id}`);
    queued.current.push(...uncelebrated);
    clearTimeout(timer.current);
    timer.current = setTimeout(celebrate, BATCH_MS);
  };
  const celebrateMissedBadges = async () => {
    const shelf = await queries.fetchQuery({ ...listBadgesQuery(user_id), staleTime: 0 }).catch(() => null);
    if (shelf) queueCelebration(badgesEarnedSince(shelf, page_started_at));
  };
  useLiveEvents((event) => {
    if (event.type === 'badge_earned') queueCelebration([event.badge]);
    if (event.type === 'opened' && !event.resumed) void celebrateMissedBadges();
  });
  const celebrateMissedOnce = useEffectEvent(celebrateMissedBadges);
  const is_ready = useLiveReady();
  useEffect(() => {
    if (is_ready) void celebrateMissedOnce();
  }, [is_ready]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return null;
}
