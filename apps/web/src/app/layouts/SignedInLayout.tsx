import '#web/shared/ui/icon-paths.ts';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { SESSION_CHECK_INTERVAL_MS } from '@sendlap/domain/session-machine.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect } from 'react';
import { ActivityNews } from '#web/features/activities/ActivityNews.tsx';
import { SyncChip } from '#web/features/activities/SyncChip.tsx';
import { session } from '#web/shared/api/client.ts';
import { useSession } from '#web/shared/api/use-session.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { ScreenSkeleton } from '#web/shared/ui/ScreenSkeleton.tsx';
import { ToastRegion } from '#web/shared/ui/ToastRegion.tsx';
import { TitleBarEnd } from '#web/shared/ui/title-bar-end.ts';
import { queryClient } from '../query-client.ts';
import { Navigation } from './Navigation.tsx';
import { useWarmUp } from './use-warm-up.ts';

const ABOVE_NAVIGATION = 'pb-[calc(72px+env(safe-area-inset-bottom))] wide:pb-0';

/** Everything around the screens of a signed-in user: queries, navigation, toasts, the check every 15 minutes. */
export function SignedInLayout({ bare, children }: { bare?: boolean | undefined; children: ReactNode }) {
  const { user } = useSession();
  useWarmUp(user?.id);
  useEffect(() => {
    const timer = setInterval(() => void session.check(), SESSION_CHECK_INTERVAL_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <div className="flex min-w-0 flex-1 flex-col wide:flex-row">
          <main className={classes('order-1 flex min-w-0 flex-1 flex-col', !bare && ABOVE_NAVIGATION)}>
            <TitleBarEnd value={user ? <SyncChip /> : null}>
              <Suspense fallback={<ScreenSkeleton />}>{children}</Suspense>
            </TitleBarEnd>
          </main>
          {!bare && <Navigation />}
        </div>
        {user && <ActivityNews />}
        <ToastRegion />
      </QueryClientProvider>
    </CSPProvider>
  );
}
