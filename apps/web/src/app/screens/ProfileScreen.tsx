import { Suspense } from 'react';
import { HistoryLink } from '#web/features/activities/HistoryLink.tsx';
import { BodyCard } from '#web/features/bio-info/BodyCard.tsx';
import { ProfilePage } from '#web/features/users/ProfilePage.tsx';
import { Skeleton } from '#web/shared/ui/Skeleton.tsx';
import { page } from '../page.ts';

const OfflineCard = page(
  () => import('#web/features/offline/OfflineCard.tsx').then((m) => m.OfflineCard),
  ['offline'],
).component();

export function ProfileScreen() {
  const body = (
    <>
      <HistoryLink />
      <BodyCard />
      <Suspense fallback={<Skeleton className="h-40 w-full rounded-lg" />}>
        <OfflineCard />
      </Suspense>
    </>
  );
  return <ProfilePage body={body} />;
}
