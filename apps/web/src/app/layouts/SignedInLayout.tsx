import '#web/shared/ui/icons/icon-paths.ts';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ComponentProps, Suspense, useEffect, useRef, useState } from 'react';
import { session } from '#web/shared/api/client.ts';
import { scheduleSessionChecks } from '#web/shared/api/session.ts';
import { useSession } from '#web/shared/api/use-session.ts';
import { PATHS } from '#web/shared/paths.ts';
import { ScreenSkeleton } from '#web/shared/ui/feedback/ScreenSkeleton.tsx';
import { ToastRegion } from '#web/shared/ui/feedback/ToastRegion.tsx';
import { ScreenBoundary } from '../errors/ScreenBoundary.tsx';
import { arrive } from '../router/arrive.ts';
import { lazyPage } from '../router/page.ts';
import { queryClient } from '../session/query-client.ts';
import { AppFrame } from './AppFrame.tsx';

const lockedPage = lazyPage(() => import('#web/features/users/LockedPage.tsx').then((m) => m.LockedPage), ['users']);

/**
 * Wraps all screens of a signed-in user: queries, toasts, the session check every 15 minutes, and the locked page if
 * the account is locked.
 */
export function SignedInLayout({ bare, list, children }: Omit<ComponentProps<typeof AppFrame>, 'user'>) {
  const { user } = useSession();
  useEffect(() => scheduleSessionChecks(session, () => location.pathname), []);
  const is_locked = user?.is_active === false;
  const was_locked = useRef(is_locked);
  // The screen is another one now, without a navigation that would focus its title.
  useEffect(() => {
    if (was_locked.current === is_locked) return;
    was_locked.current = is_locked;
    return arrive(null);
  }, [is_locked]);
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        {is_locked ? (
          <main className="flex min-w-0 flex-1 flex-col pb-safe">
            {/* The locked page is the same for every path. */}
            <ScreenBoundary path={PATHS.root}>
              <Suspense fallback={<ScreenSkeleton />}>
                <LockedScreen />
              </Suspense>
            </ScreenBoundary>
          </main>
        ) : (
          <AppFrame bare={bare} list={list} user={user}>
            {children}
          </AppFrame>
        )}
        <ToastRegion />
      </QueryClientProvider>
    </CSPProvider>
  );
}

function LockedScreen() {
  const [LockedPage] = useState(() => lockedPage.component());
  return <LockedPage />;
}
