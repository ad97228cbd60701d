import { late } from '#web/shared/ui/late.tsx';

/** Comes after the screen: until then its lists are as new as their answers. */
export const LateFriendNews = late(() => import('#web/features/friends/FriendNews.tsx').then((m) => m.FriendNews));
