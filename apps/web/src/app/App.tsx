import { type ComponentProps, Suspense, useEffect, useState } from 'react';
import { matchRoute, Redirect, Route, Router, useLocation, useRouter } from 'wouter';
import { OfflineBar } from '#web/features/install/OfflineBar.tsx';
import { KioskStart } from '#web/features/kiosk/KioskStart.tsx';
import { session } from '#web/shared/api/client.ts';
import { useSession } from '#web/shared/api/use-session.ts';
import { useFragment } from '#web/shared/device/fragment.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useIsWide } from '#web/shared/device/use-is-wide.ts';
import { clearReturnPath, readReturnPath, saveReturnPath } from '#web/shared/navigation/return-path.ts';
import { isAuthPath, isKioskPath, PATHS } from '#web/shared/paths.ts';
import { Corner } from '#web/shared/ui/Corner.tsx';
import { lazyPart } from '#web/shared/ui/feedback/lazy-part.tsx';
import { WhenIdle } from '#web/shared/ui/feedback/WhenIdle.tsx';
import { ErrorBoundary } from './errors/ErrorBoundary.tsx';
import { aroundNavigation, useArrival } from './router/navigation.ts';
import { lazyPage, type Page } from './router/page.ts';
import { type AppRoute, KIOSK_PAGE, ROUTES } from './router/router.tsx';
import { SignedInFrame, SignedInSkeleton } from './SignedInFrame.tsx';

/** The service worker and the install and update cards load after everything else. */
const InstallAndUpdateCards = lazyPart(() =>
  import('#web/features/install/InstallAndUpdateCards.tsx').then((m) => m.InstallAndUpdateCards),
);

const notFound: AppRoute = {
  path: '*',
  access: 'anyone',
  page: lazyPage(() => import('./NotFoundPage.tsx').then((m) => m.NotFoundPage)),
};

export function App() {
  // App and kiosk never navigate to each other, except by a page load.
  const [is_kiosk] = useState(() => isKioskPath(location.pathname));
  return (
    <ErrorBoundary>
      <Router aroundNav={aroundNavigation}>{is_kiosk ? <KioskApp /> : <MainApp />}</Router>
    </ErrorBoundary>
  );
}

function KioskApp() {
  const [Page] = useState(() => KIOSK_PAGE.component());
  return (
    <Suspense fallback={<KioskStart />}>
      <Page />
    </Suspense>
  );
}

function MainApp() {
  const [path] = useLocation();
  useArrival(path);
  return (
    <>
      <OfflineBar />
      <CurrentPage />
      <WhenIdle>
        <InstallAndUpdateCards />
      </WhenIdle>
      <Corner />
    </>
  );
}

function CurrentPage() {
  const [path] = useLocation();
  const { parser } = useRouter();
  const is_wide = useIsWide();
  useEffect(() => {
    if (!isAuthPath(path)) void session.start();
  }, [path]);
  if (path === PATHS.root) return <RootRedirect />;
  const route = ROUTES.find((candidate) => matchRoute(parser, candidate.path, path)[0]) ?? notFound;
  const is_list = route.path === route.list?.path;
  // A list that fills the window goes on as it is when a tablet is turned.
  const list = is_wide || (is_list && route.list?.fills) ? route.list : undefined;
  // The list has a place of its own, so that beside it nothing is chosen.
  const screen =
    is_list && list ? null : (
      <Route path={route.path}>
        <PageView key={route.path} page={route.page} />
      </Route>
    );
  if (route.access === 'anyone') return <Suspense fallback={null}>{screen}</Suspense>;
  if (route.access === 'anonymous') return <VisitorOnly>{screen}</VisitorOnly>;
  return (
    <SignedInOnly route={route} list={list && { ...list, view: <PageView page={list.page} /> }}>
      {screen}
    </SignedInOnly>
  );
}

function PageView({ page }: { page: Page }) {
  // Kept while this screen is mounted: the lazy and the loaded component differ, and switching would remount it.
  const [Component] = useState(() => page.component());
  return <Component />;
}

/** `/` only redirects. */
function RootRedirect() {
  const { user, checking_auth } = useSession();
  if (user) return <Redirect to={readReturnPath(user.id, Date.now())} replace />;
  return checking_auth ? <SignedInSkeleton /> : <Redirect to={PATHS.login} replace />;
}

function VisitorOnly({ children }: { children: React.ReactNode }) {
  const { user } = useSession();
  return user ? <Redirect to={PATHS.root} replace /> : children;
}

interface SignedInOnlyProps {
  route: AppRoute;
  list: ComponentProps<typeof SignedInFrame>['list'];
  children: React.ReactNode;
}

function SignedInOnly({ route, list, children }: SignedInOnlyProps) {
  const { user, checking_auth } = useSession();
  const online = useOnline();
  const fragment = useFragment();
  useEffect(() => {
    if (user) clearReturnPath();
  }, [user]);
  const readable = user !== null || (route.access === 'saved-offline' && !online);
  if (readable) {
    return (
      <SignedInFrame bare={route.bare} list={list}>
        {children}
      </SignedInFrame>
    );
  }
  if (checking_auth) return <SignedInSkeleton page={route.page} />;
  if (!route.visitor_page || (route.needs_fragment && fragment === '')) return <RedirectToSignIn />;
  return <VisitorPage key={fragment} page={route.visitor_page} />;
}

/** A page in place of the sign-in page. Every account may return to this address, also after a sign-out. */
function VisitorPage({ page }: { page: NonNullable<AppRoute['visitor_page']> }) {
  const [Page] = useState(() => page.component());
  useEffect(() => saveAddress(null), []);
  return (
    <Suspense fallback={null}>
      <Page />
    </Suspense>
  );
}

function RedirectToSignIn() {
  // Done while rendering: the redirect's own effect runs before an effect of this component.
  if (!session.wasSignOutIntended()) saveAddress(session.lastUserId());
  return <Redirect to={PATHS.login} replace />;
}

/** Remembers this address for after the sign-in. `user_id`: see `saveReturnPath`. */
function saveAddress(user_id: string | null): void {
  saveReturnPath(location.pathname + location.search + location.hash, user_id);
}
