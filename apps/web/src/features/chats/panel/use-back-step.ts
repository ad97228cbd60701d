import { useEffect, useEffectEvent } from 'react';

/** In the state of the history's entry that stands for the panel. */
const STEP = 'chat_panel';

/** Whether the panel covers the screen right now. */
let is_covered = false;

/**
 * While `covers`, the panel hides the screen and has an entry of its own in the browser's history, at the same address:
 * the phone's Back leaves the panel (`leave`) and not the screen below. Gone by another way it takes the entry back.
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
      // Where that led only to another view of the panel, the next Back is for the panel too.
      setTimeout(addStep);
    };
    addEventListener('popstate', onBack);
    return () => {
      is_covered = false;
      removeEventListener('popstate', onBack);
      // After all else that the same tap does: a screen that it leads to is not left again.
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
  // The browser goes back a moment later. A panel that opens until then gets its entry again and does not hear of it.
  addEventListener('popstate', addStep, { once: true });
  history.back();
}
