/** What may come after the rest of the home screen; everything else is there with it, or not at all. */
export const LATE_TARGET = 'skills-radar';

/**
 * The steps in their order. `target`: the `data-tour` of what a step points at; one without it, or without that on the
 * screen (the history of somebody new), stands in the middle.
 */
export const TOUR_STEPS = [
  { name: 'welcome', target: null },
  { name: 'skillsRadar', target: LATE_TARGET },
  { name: 'history', target: 'history' },
  { name: 'sportCenters', target: 'sportCenters' },
  { name: 'leaderboards', target: 'ranks' },
  { name: 'chat', target: 'chat' },
  { name: 'profile', target: 'profile' },
  { name: 'final', target: null },
] as const;

/** A new account is offered the tour for so long. */
const OFFER_DAYS = 7;
const DAY_MS = 86_400_000;

/** How far somebody is. `is_over`: seen to the end, or not wanted. */
export interface TourProgress {
  step: number;
  is_over: boolean;
}

export const NOT_BEGUN: TourProgress = { step: 0, is_over: false };

/** What was kept on this device; a step that there is not counts as nothing kept. */
export function readProgress(kept: unknown): TourProgress {
  if (typeof kept !== 'object' || kept === null || !('step' in kept) || !('is_over' in kept)) return NOT_BEGUN;
  const { step, is_over } = kept;
  const is_known = typeof step === 'number' && Number.isInteger(step) && step >= 0 && step < TOUR_STEPS.length;
  return is_known && typeof is_over === 'boolean' ? { step, is_over } : NOT_BEGUN;
}

/** Whether to offer the tour: to a new account, and to whoever left it on the way. Times in ms epoch. */
export function isOffered({ step, is_over }: TourProgress, account_since: number, now: number): boolean {
  return !is_over && (step > 0 || now - account_since < OFFER_DAYS * DAY_MS);
}
