import { late } from '#web/shared/ui/late.tsx';

/** Comes after the screen: what it tells, the lists tell too. */
export const LateInAppNews = late(
  () => import('#web/features/notifications/InAppNews.tsx').then((m) => m.InAppNews),
  ['notifications'],
);
