import type { BadgeId } from '@sendlap/domain/badges.ts';
import { useRef } from 'react';
import { useLiveEvents } from '#web/shared/live/use-live-events.ts';
import { late } from '#web/shared/ui/late.tsx';

const BadgeNews = late(() => import('#web/features/badges/BadgeNews.tsx').then((m) => m.BadgeNews), ['badges']);

/** Comes after the screen: a celebration is nothing that anybody waits for. What is earned before is celebrated then. */
export function LateBadgeNews() {
  const earned = useRef<BadgeId[]>([]);
  useLiveEvents((news) => {
    if (news.type === 'badge_earned') earned.current.push(news.badge);
  });
  return <BadgeNews takeEarned={() => earned.current.splice(0)} />;
}
