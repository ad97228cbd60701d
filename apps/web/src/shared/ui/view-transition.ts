import { flushSync } from 'react-dom';

export type Direction = 'forward' | 'back' | 'tab';

/** Changes the screen with a view transition where the browser has them and nobody asked for less motion. */
export function withViewTransition(change: () => void, direction: Direction = 'forward'): void {
  if (!document.startViewTransition || matchMedia('(prefers-reduced-motion: reduce)').matches) {
    change();
    return;
  }
  const root = document.documentElement;
  root.dataset.nav = direction;
  const transition = document.startViewTransition(() => flushSync(change));
  // A skipped transition (a quick second one, a hidden page) is no error.
  transition.ready.catch(() => {});
  transition.finished.catch(() => {}).finally(() => delete root.dataset.nav);
}
