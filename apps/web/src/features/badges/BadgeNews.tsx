import type { BadgeId } from '@sendlap/domain/progress/badges.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { serverClock } from '#web/shared/api/client.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { vibrate } from '#web/shared/device/haptics.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useLiveEvents } from '#web/shared/live/use-live-events.ts';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { BADGES_PATH, badgePath } from './links.ts';
import { missedBadges } from './present-progress.ts';
import { listBadgesQuery } from './queries.ts';
import { useBadgeText } from './use-badge-text.ts';

/** One validation may earn several badges; they are celebrated together. */
const TOGETHER_MS = 400;
/** A badge may have been earned up to this long before this code loaded, without being celebrated. */
const LATE_MS = 60_000;

/** Badges celebrated since this page loaded: user id and badge. */
const told = new Set<string>();

/**
 * Returns the start of the page, ms epoch by the server's clock: badges earned before were celebrated in another page.
 */
function startOfPage(): number {
  return serverClock.correctedNow() - Math.min(performance.now(), LATE_MS);
}

/**
 * Celebrates each badge once, wherever the athlete is; also a badge earned while the stream was down or before this
 * code loaded. Mounted once, in the signed-in layout; renders nothing.
 */
export function BadgeNews() {
  const { t } = useTranslation('badges');
  const { id: user_id } = useUser();
  const queries = useQueryClient();
  const text = useBadgeText();
  const [, navigate] = useLocation();
  const [began_at] = useState(startOfPage);
  const fresh = useRef<BadgeId[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const celebrate = () => {
    const ids = fresh.current;
    fresh.current = [];
    const [first] = ids;
    if (!first) return;
    vibrate('success');
    toast({
      title: t('news.title', { count: ids.length }),
      description: ids.map((id) => text.name(id)).join(', '),
      tone: 'success',
      action: { label: t('news.action'), onPress: () => navigate(ids.length > 1 ? BADGES_PATH : badgePath(first)) },
    });
  };
  const note = (badges: BadgeId[]) => {
    const untold = badges.filter((id) => !told.has(`${user_id} ${id}`));
    if (untold.length === 0) return;
    for (const id of untold) told.add(`${user_id} ${id}`);
    fresh.current.push(...untold);
    clearTimeout(timer.current);
    timer.current = setTimeout(celebrate, TOGETHER_MS);
  };
  const catchUp = async () => {
    const shelf = await queries.fetchQuery({ ...listBadgesQuery(user_id), staleTime: 0 }).catch(() => null);
    if (shelf) note(missedBadges(shelf.items, began_at));
  };
  useLiveEvents((news) => {
    if (news.type === 'badge_earned') note([news.badge]);
    if (news.type === 'opened' && !news.resumed) void catchUp();
  });
  const catchUpOnce = useEffectEvent(catchUp);
  useEffect(() => {
    void catchUpOnce();
    return () => clearTimeout(timer.current);
  }, []);
  return null;
}
