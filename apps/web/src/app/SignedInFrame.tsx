import { type ComponentProps, Suspense } from 'react';
import { lazyPage, type Page } from './router/page.ts';
import { ShellApp } from './shell/ShellApp.tsx';

type FrameProps = ComponentProps<typeof import('./layouts/SignedInLayout.tsx').SignedInLayout>;

const layout = lazyPage<FrameProps>(
  () => import('./layouts/SignedInLayout.tsx').then((m) => m.SignedInLayout),
  ['activities', 'outbox'],
);
const SignedInLayout = layout.component();

/** The signed-in layout (navigation, queries, toasts) is a chunk of its own, which visitors do not load. */
export function SignedInFrame({ bare, list, children }: FrameProps) {
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
