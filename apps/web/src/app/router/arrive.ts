import { findLinks, findShown, type ScrollPosition } from '#web/shared/navigation/history-entry.ts';

/** How long a screen may take to have the rows that were there when it was left. */
const PATIENCE_MS = 5_000;
/** The user does something else: nothing moves any longer. */
const INPUTS = ['pointerdown', 'wheel', 'keydown', 'touchmove'];

/**
 * Scrolls to where the screen was left and focuses the link that was followed, as soon as they are there; on a
 * first visit, focuses the title. Returns a function that ends the wait.
 */
export function arrive(left: ScrollPosition | null): () => void {
  let is_scrolled = left === null;
  let is_focused = false;
  const observer = new MutationObserver(attempt);
  const timer = setTimeout(() => {
    // The link is gone, as its row may be.
    if (!is_focused) focusTitle();
    stop();
  }, PATIENCE_MS);
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
    for (const input of INPUTS) removeEventListener(input, stop, true);
  };
  for (const input of INPUTS) addEventListener(input, stop, true);
  observer.observe(document.body, { childList: true, subtree: true });
  function attempt(): void {
    if (left && !is_scrolled) is_scrolled = restoreScroll(left.top);
    if (!is_focused) is_focused = left?.link ? focusLink(left.link) : focusTitle();
    if (is_scrolled && is_focused) stop();
  }
  attempt();
  return stop;
}

/** Returns false while the screen is too short. */
function restoreScroll(top: number): boolean {
  scrollTo(0, top);
  return document.documentElement.scrollHeight - innerHeight >= Math.floor(top);
}

/** Returns false while it is missing. */
function focusLink({ href, nth }: NonNullable<ScrollPosition['link']>): boolean {
  const links = findLinks(href);
  const link = links[nth] ?? links[0];
  if (!link) return false;
  if (isFocusFree()) {
    link.focus({ preventScroll: true });
    // A list with a scroller of its own may have other rows by now.
    link.scrollIntoView({ block: 'nearest' });
  }
  return true;
}

/** Returns false while it is missing. */
function focusTitle(): boolean {
  const [title] = findShown('#root h1');
  if (!title) return false;
  if (isFocusFree()) {
    title.tabIndex = -1;
    title.focus({ preventScroll: true });
  }
  return true;
}

/** The link that was followed is gone or belongs to the navigation. A field that took the focus keeps it. */
function isFocusFree(): boolean {
  const { activeElement } = document;
  return (
    activeElement === null ||
    activeElement === document.body ||
    activeElement.closest('nav, [role=navigation]') !== null
  );
}
