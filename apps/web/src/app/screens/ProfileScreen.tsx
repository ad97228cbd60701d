import { BodyCard } from '#web/features/bio-info/BodyCard.tsx';
import { FriendsLink } from '#web/features/friends/FriendsLink.tsx';
import { ProfilePage } from '#web/features/users/ProfilePage.tsx';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { LinkRow } from '#web/shared/ui/controls/LinkRow.tsx';
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

const ServerManagementLink = lazyPart(
  () => import('#web/features/server-management/ServerManagementLink.tsx').then((m) => m.ServerManagementLink),
  ['server-management'],
);

export function ProfileScreen() {
  const { t } = useTranslation('history');
  const body = (
    <>
      <FriendsLink />
      <ServerManagementLink />
      <LinkRow href={PATHS.history} icon="calendar" title={t('link')} text={t('linkText')} className="bg-surface" />
      <BodyCard />
      <OfflineCard />
      <NotificationsCard />
    </>
  );
  return <ProfilePage body={body} />;
}
