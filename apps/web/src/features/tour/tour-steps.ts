import { DAY_MS } from '@sendlap/domain/durations.ts';
import { PATHS } from '#web/shared/paths.ts';

const named = (name: string) => `[data-tour="${name}"]`;

/**
 * The steps in order. `target`: the selector of the highlighted element; without one the step is centered. `stand_in`: what
 * is highlighted until the target exists (a new user has no history); of several the first in the document.
 */
export const TOUR_STEPS = [
  { name: 'welcome', target: null, stand_in: null },
  {
    name: 'skillsRadar',
    target: named('skills-radar'),
    stand_in: `${named('first-steps')}, ${named('home')}`,
  },
  { name: 'history', target: named('history'), stand_in: named('home') },
  { name: 'sportCenters', target: named('sportCenters'), stand_in: null },
  { name: 'leaderboards', target: named('ranks'), stand_in: null },
  { name: 'chat', target: named('chat'), stand_in: null },
  { name: 'profile', target: named('profile'), stand_in: null },
  // Shows where to scan, and says how.
  { name: 'final', target: `a[href="${PATHS.scan}"]`, stand_in: null },
] as const;

export type TourStep = (typeof TOUR_STEPS)[number];

/** A new account is offered the tour for this long. */
const OFFER_DAYS = 7;

/** The user's progress. `is_over`: seen to the end, or declined. */
export interface TourProgress {
  step: number;
  is_over: boolean;
}

export const NOT_STARTED: TourProgress = { step: 0, is_over: false };

/** Parses the stored progress; an unknown step counts as not started. */
export function parseProgress(stored: unknown): TourProgress {
  if (typeof stored !== 'object' || stored === null || !('step' in stored) || !('is_over' in stored))
    return NOT_STARTED;
  const { step, is_over } = stored;
  const is_valid_step = typeof step === 'number' && Number.isInteger(step) && step >= 0 && step < TOUR_STEPS.length;
  return is_valid_step && typeof is_over === 'boolean' ? { step, is_over } : NOT_STARTED;
}

/** Whether to offer the tour: to a new account, and to a user who left it midway. Times in ms epoch. */
export function isOffered({ step, is_over }: TourProgress, account_since: number, now: number): boolean {
  return !is_over && (step > 0 || now - account_since < OFFER_DAYS * DAY_MS);
}
