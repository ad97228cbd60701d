import { flushSync } from 'react-dom';

export type Direction = 'forward' | 'back' | 'tab';

/** Whether the browser supports view transitions and the user does not prefer reduced motion. */
export function canAnimate(): boolean {
  return 'startViewTransition' in document && !matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** Changes the screen, with a view transition if that can be. */
export function withViewTransition(change: () => void, direction: Direction = 'forward'): void {
  if (!canAnimate()) {
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
