import { flushSync } from 'react-dom';

export type Direction = 'forward' | 'back' | 'tab';

/** Changes the screen with a view transition if the browser supports it and the user does not prefer reduced motion. */
export function withViewTransition(change: () => void, direction: Direction = 'forward'): void {
  if (!document.startViewTransition || matchMedia('(prefers-reduced-motion: reduce)').matches) {
    change();
    return;
  }
  const root = document.documentElement;
  root.dataset.nav = direction;
  const transition = document.startViewTransition(() => flushSync(change));
  // A skipped transition (a second one shortly after, a hidden page) is not an error.
  transition.ready.catch(() => {});
  transition.finished.catch(() => {}).finally(() => delete root.dataset.nav);
}
