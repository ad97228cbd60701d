import { late } from '#web/shared/ui/late.tsx';

/** Comes after the screen: a celebration is nothing that anybody waits for. */
export const LateBadgeNews = late(
  () => import('#web/features/badges/BadgeNews.tsx').then((m) => m.BadgeNews),
  ['badges'],
);
