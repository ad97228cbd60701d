import { type ReactNode, Suspense } from 'react';
import { page } from './router/page.ts';
import { ShellApp } from './shell/ShellApp.tsx';

const layout = page(
  () => import('./layouts/SignedInLayout.tsx').then((m) => m.SignedInLayout),
  ['activities', 'outbox'],
);
const SignedInLayout = layout.component();

/** What only signed-in users need (navigation, queries, toasts) is a script of its own. */
export function SignedInFrame({ bare, children }: { bare?: boolean | undefined; children: ReactNode }) {
  return (
    <Suspense fallback={<ShellApp />}>
      <SignedInLayout bare={bare}>{children}</SignedInLayout>
    </Suspense>
  );
}

/** The same place while the session is being checked; fetches the layout meanwhile. */
export function SignedInSkeleton() {
  void layout.preload();
  return <ShellApp />;
}
