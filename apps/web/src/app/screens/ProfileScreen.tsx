import { HistoryLink } from '#web/features/activities/history/HistoryLink.tsx';
import { BodyCard } from '#web/features/bio-info/BodyCard.tsx';
import { FriendsLink } from '#web/features/friends/FriendsLink.tsx';
import { ProfilePage } from '#web/features/users/ProfilePage.tsx';
import { LoadFailed } from '#web/shared/ui/feedback/LoadFailed.tsx';
import { lazyPart } from '#web/shared/ui/feedback/lazy-part.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';

const OfflineCard = lazyPart(
  () => import('#web/features/offline/OfflineCard.tsx').then((m) => m.OfflineCard),
  ['offline'],
  { loading: <Skeleton className="h-40 w-full rounded-lg" />, Failed: LoadFailed },
);

const NotificationsCard = lazyPart(
  () => import('#web/features/notifications/NotificationsCard.tsx').then((m) => m.NotificationsCard),
  ['notifications'],
  { loading: <Skeleton className="h-96 w-full rounded-lg" />, Failed: LoadFailed },
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
