import type { User } from '@sendlap/contract/users.ts';
import { type ReactNode, Suspense } from 'react';
import { useLocation } from 'wouter';
import { ActivityNews } from '#web/features/activities/ActivityNews.tsx';
import { SyncChip } from '#web/features/activities/SyncChip.tsx';
import { classes } from '#web/shared/ui/classes.ts';
import { late } from '#web/shared/ui/late.tsx';
import { ScreenSkeleton } from '#web/shared/ui/ScreenSkeleton.tsx';
import { TitleBarEnd } from '#web/shared/ui/title-bar-end.ts';
import { ScreenBoundary } from '../ScreenBoundary.tsx';
import { LateBadgeNews } from './LateBadgeNews.tsx';
import { LateChat } from './LateChat.tsx';
import { LateChatLauncher } from './LateChatLauncher.tsx';
import { LateFriendNews } from './LateFriendNews.tsx';
import { LateInAppNews } from './LateInAppNews.tsx';
import { LateLocationKeeper } from './LateLocationKeeper.tsx';
import { LateOfflineKeeper } from './LateOfflineKeeper.tsx';
import { LateRequestsBadge } from './LateRequestsBadge.tsx';
import { LateScanNews } from './LateScanNews.tsx';
import { Navigation } from './Navigation.tsx';
import { useWarmUp } from './use-warm-up.ts';

const ABOVE_NAVIGATION = 'pb-(--nav-room) wide:pb-0';
const Welcome = late(() => import('./Welcome.tsx').then((m) => m.Welcome), ['users']);

interface ActiveFrameProps {
  bare: boolean | undefined;
  /** null: a visitor without network, who reads what is saved. */
  user: User | null;
  children: ReactNode;
}

/** The screen with its navigation, and what runs beside all screens. */
export function ActiveFrame({ bare, user, children }: ActiveFrameProps) {
  useWarmUp(user?.id);
  const [path] = useLocation();
  return (
    <>
      <div className="flex min-w-0 flex-1 flex-col wide:flex-row">
        <main className={classes('order-1 flex min-w-0 flex-1 flex-col', !bare && ABOVE_NAVIGATION)}>
          <TitleBarEnd value={user ? <SyncChip /> : null}>
            <ScreenBoundary path={path}>
              <Suspense fallback={<ScreenSkeleton />}>{children}</Suspense>
            </ScreenBoundary>
          </TitleBarEnd>
        </main>
        {!bare && <Navigation requests={user && <LateRequestsBadge />} chat={user && <LateChatLauncher />} />}
      </div>
      <LateOfflineKeeper />
      {user && <LateLocationKeeper user_id={user.id} />}
      {user && <ActivityNews />}
      {user && <LateScanNews />}
      {user && <LateBadgeNews />}
      {user && <LateChat />}
      {user && <LateFriendNews />}
      {user && <LateInAppNews />}
      {user && <Welcome />}
    </>
  );
}
