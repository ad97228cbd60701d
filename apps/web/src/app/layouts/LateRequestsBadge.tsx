import { late } from '#web/shared/ui/late.tsx';

/** Comes after the screen, like everything that nobody waits for. */
export const LateRequestsBadge = late(
  () => import('#web/features/friends/RequestsBadge.tsx').then((m) => m.RequestsBadge),
  ['friends'],
);
