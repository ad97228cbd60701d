import { HistoryLink } from '#web/features/activities/history/HistoryLink.tsx';
import { BodyCard } from '#web/features/bio-info/BodyCard.tsx';
import { FriendsLink } from '#web/features/friends/FriendsLink.tsx';
import { ProfilePage } from '#web/features/users/ProfilePage.tsx';
import { LateFailed } from '#web/shared/ui/feedback/LateFailed.tsx';
import { late } from '#web/shared/ui/feedback/late.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';

const OfflineCard = late(
  () => import('#web/features/offline/OfflineCard.tsx').then((m) => m.OfflineCard),
  ['offline'],
  { loading: <Skeleton className="h-40 w-full rounded-lg" />, Failed: LateFailed },
);

const NotificationsCard = late(
  () => import('#web/features/notifications/NotificationsCard.tsx').then((m) => m.NotificationsCard),
  ['notifications'],
  { loading: <Skeleton className="h-96 w-full rounded-lg" />, Failed: LateFailed },
);

export function ProfileScreen() {
  const body = (
    <>
      <FriendsLink />
      <HistoryLink />
      <BodyCard />
      <OfflineCard />
      <NotificationsCard />
    </>
  );
  return <ProfilePage body={body} />;
}
