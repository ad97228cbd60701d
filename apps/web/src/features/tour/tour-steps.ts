import { PATHS } from '#web/shared/paths.ts';

const named = (name: string) => `[data-tour="${name}"]`;

/**
 * The steps in order. `target`: the selector of the highlighted element; without a target, or while it is missing (a new
 * user has no history), the step is centered. The last one shows where to scan, and says how.
 */
export const TOUR_STEPS = [
  { name: 'welcome', target: null },
  { name: 'skillsRadar', target: named('skills-radar') },
  { name: 'history', target: named('history') },
  { name: 'sportCenters', target: named('sportCenters') },
  { name: 'leaderboards', target: named('ranks') },
  { name: 'chat', target: named('chat') },
  { name: 'profile', target: named('profile') },
  { name: 'final', target: `a[href="${PATHS.scan}"]` },
] as const;

/** A new account is offered the tour for this long. */
const OFFER_DAYS = 7;
const DAY_MS = 86_400_000;

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
