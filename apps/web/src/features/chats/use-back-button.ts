import { useEffect, useEffectEvent } from 'react';

/** The key of the panel's entry in the history state. */
const HISTORY_KEY = 'chat_panel';

/** Whether the panel covers the screen right now. */
let is_covered = false;
/** The browser was told to go back, and has not yet: a second order would leave the screen below, too. */
let is_going_back = false;

/**
 * While `covers_screen`, the panel hides the screen and has its own entry in the browser's history, at the same URL: the
 * phone's Back leaves the panel (`onLeave`) and not the screen below. If the panel is left in another way, the entry is
 * removed.
 */
export function useBackButton(covers_screen: boolean, onLeave: () => void): void {
  const leavePanel = useEffectEvent(onLeave);
  useEffect(() => {
    if (!covers_screen) return;
    is_covered = true;
    pushHistoryEntry();
    const onBack = () => {
      if (hasHistoryEntry()) return;
      leavePanel();
      // If Back only led to another view of the panel, the next Back is for the panel, too.
      setTimeout(pushHistoryEntry);
    };
    addEventListener('popstate', onBack);
    return () => {
      is_covered = false;
      removeEventListener('popstate', onBack);
      // Runs after everything else that the same tap does, so that a screen it navigates to is not left again.
      setTimeout(removeHistoryEntry);
    };
  }, [covers_screen]);
}

function hasHistoryEntry(): boolean {
  const { state }: { state: unknown } = history;
  return typeof state === 'object' && state !== null && HISTORY_KEY in state;
}

function pushHistoryEntry(): void {
  if (!is_covered || hasHistoryEntry()) return;
  // The entry is of the same screen, so it remembers the same.
  const { state }: { state: object | null } = history;
  history.pushState({ ...state, [HISTORY_KEY]: true }, '');
}

function removeHistoryEntry(): void {
  if (is_covered || is_going_back || !hasHistoryEntry()) return;
  is_going_back = true;
  // The browser goes back a moment later. A panel that opens until then gets its entry again first, and so ignores this
  // event.
  addEventListener('popstate', restoreHistoryEntry, { once: true });
  history.back();
}

function restoreHistoryEntry(): void {
  is_going_back = false;
  pushHistoryEntry();
}
