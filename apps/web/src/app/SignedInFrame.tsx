import { type ComponentProps, Suspense, useState } from 'react';
import { PATHS } from '#web/shared/paths.ts';
import { lazyPage, type Page } from './router/page.ts';
import { ROUTES } from './router/router.tsx';
import { ShellApp } from './shell/ShellApp.tsx';

type FrameProps = ComponentProps<typeof import('./layouts/SignedInLayout.tsx').SignedInLayout>;

const layout = lazyPage<FrameProps>(
  () => import('./layouts/SignedInLayout.tsx').then((m) => m.SignedInLayout),
  ['activities', 'outbox'],
);

/**
 * Asks for the code and texts of a signed-in user's screen before React renders. Does nothing unless `shell` (set by
 * boot.js) is 'app'. For a path with parameters, preloads only the layout.
 */
export function preloadScreen(shell: string | undefined, path: string): void {
  if (shell !== 'app') return;
  // From the home screen of a phone, `/` leads to Home.
  const shown = path === PATHS.root ? PATHS.dashboard : path;
  void layout.preload();
  void ROUTES.find((route) => route.path === shown)?.page.preload();
}

/** The signed-in layout (navigation, queries, toasts) is a chunk of its own, which visitors do not load. */
export function SignedInFrame({ bare, list, children }: FrameProps) {
  // The loaded one if it is there: a lazy one would show its fallback even then.
  const [SignedInLayout] = useState(() => layout.component());
  return (
    <Suspense fallback={<ShellApp />}>
      <SignedInLayout bare={bare} list={list}>
        {children}
      </SignedInLayout>
    </Suspense>
  );
}

/** The placeholder while the session is being checked; preloads the layout and the screen that it leads to. */
export function SignedInSkeleton({ page }: { page?: Page | undefined }) {
  void layout.preload();
  void page?.preload();
  return <ShellApp />;
}
