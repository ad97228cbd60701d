import { useLayoutEffect } from 'react';
import type { AroundNavHandler } from 'wouter';
import {
  entryState,
  readDepth,
  readScrollPosition,
  restoreQuery,
  saveOtherRow,
  saveScrollPosition,
} from '#web/shared/navigation/history-entry.ts';
import { canAnimate, type Direction, withViewTransition } from '#web/shared/ui/view-transition.ts';
import { arrive } from './arrive.ts';
import { isTab } from './tabs.ts';

/** The screen that React shows. */
let shown = { path: location.pathname, depth: readDepth() };
/** The user goes back or forward to a screen that was left before. */
let is_return = false;
let is_repeated = false;

/** Scrolls, and animates Back, in place of the browser, which cannot know when a screen has its rows. */
export function startNavigation(): void {
  history.scrollRestoration = 'manual';
  // Before the router's own listener.
  addEventListener('popstate', handlePopState, { capture: true });
  addEventListener('pagehide', () => saveScrollPosition(null));
}

/** Wraps every navigation: remembers where the screen is left, counts the entries, and animates the change. */
export const aroundNavigation: AroundNavHandler = (navigate, to, options) => {
  // A redirect is not a user's navigation, and beside a list only a part of the window changes: no transition.
  if (options?.replace) {
    saveOtherRow(to);
    return navigate(to, { ...options, state: entryState(readDepth()) });
  }
  saveScrollPosition(to);
  withViewTransition(
    () => {
      navigate(to, { ...options, state: entryState(readDepth() + 1) });
      scrollTo(0, 0);
    },
    directionTo(to, 'forward'),
  );
};

/** Scrolls each new screen to where it was left, or to its top. */
export function useArrival(path: string): void {
  useLayoutEffect(() => {
    const is_reload = shown.path === path;
    const left = is_return || is_reload ? readScrollPosition() : null;
    // Forward to a screen that was left by Back, which an entry does not remember, or another row of the list beside it.
    if (!is_reload && left === null) scrollTo(0, 0);
    is_return = false;
    shown = { path, depth: readDepth() };
    // The first screen of a page load has no focus to take over.
    if (is_reload && left === null) return;
    return arrive(left);
  }, [path]);
}

function handlePopState(event: PopStateEvent): void {
  // The chat panel and filters have entries of their own at the address of the screen.
  if (is_repeated || location.pathname === shown.path) return;
  is_return = true;
  restoreQuery();
  // The browser has animated its own gesture.
  if (event.hasUAVisualTransition || !canAnimate()) return;
  event.stopImmediatePropagation();
  withViewTransition(
    () => {
      is_repeated = true;
      dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
      is_repeated = false;
    },
    directionTo(location.pathname, readDepth() < shown.depth ? 'back' : 'forward'),
  );
}

function directionTo(path: string, direction: Direction): Direction {
  return isTab(path) && isTab(shown.path) ? 'tab' : direction;
}
