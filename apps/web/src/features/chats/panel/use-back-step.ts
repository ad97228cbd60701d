import { useEffect, useEffectEvent } from 'react';

/** The key of the panel's entry in the history state. */
const STEP = 'chat_panel';

/** Whether the panel covers the screen right now. */
let is_covered = false;

/**
 * While `covers`, the panel hides the screen and has its own entry in the browser's history, at the same URL: the
 * phone's Back leaves the panel (`leave`) and not the screen below. If the panel is left in another way, the entry is
 * removed.
 */
export function useBackStep(covers: boolean, leave: () => void): void {
  const goBack = useEffectEvent(leave);
  useEffect(() => {
    if (!covers) return;
    is_covered = true;
    addStep();
    const onBack = () => {
      if (hasStep()) return;
      goBack();
      // If Back only led to another view of the panel, the next Back is for the panel, too.
      setTimeout(addStep);
    };
    addEventListener('popstate', onBack);
    return () => {
      is_covered = false;
      removeEventListener('popstate', onBack);
      // Runs after everything else that the same tap does, so that a screen it navigates to is not left again.
      setTimeout(takeStepBack);
    };
  }, [covers]);
}

function hasStep(): boolean {
  const { state }: { state: unknown } = history;
  return typeof state === 'object' && state !== null && STEP in state;
}

function addStep(): void {
  if (is_covered && !hasStep()) history.pushState({ [STEP]: true }, '');
}

function takeStepBack(): void {
  if (is_covered || !hasStep()) return;
  // The browser goes back a moment later. A panel that opens until then gets its entry again first, and so ignores this
  // event.
  addEventListener('popstate', addStep, { once: true });
  history.back();
}
