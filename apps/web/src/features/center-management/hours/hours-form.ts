import { MAX_REASON_LENGTH } from '@sendlap/contract/center-management/center-hours.ts';
import type { OpeningHours } from '@sendlap/contract/wire/opening-hours.ts';
import { areDisjoint } from '@sendlap/domain/centers/disjoint-hours.ts';
import { countCodePoints } from '@sendlap/domain/messages.ts';
import { cleanText } from '@sendlap/domain/names.ts';

export type HoursProblem = 'time' | 'overlap' | 'date' | 'range' | 'reason';

/** Returns the hours as they are sent: without invisible characters in the reasons. */
export function toHours({ weekly, closed_days }: OpeningHours): OpeningHours {
  return {
    weekly,
    closed_days: closed_days.map(({ from, until, reason }) => ({
      from,
      until,
      reason: cleanText(reason ?? '') || null,
    })),
  };
}

/** Returns why hours would be refused; null if they are fine. */
export function problemOf({ weekly, closed_days }: OpeningHours): HoursProblem | null {
  const intervals = weekly.flat();
  // An emptied input of times or dates has no text.
  if (intervals.some(({ opens, closes }) => opens === '' || closes === '')) return 'time';
  if (!areDisjoint(weekly)) return 'overlap';
  if (closed_days.some(({ from, until }) => from === '' || until === '')) return 'date';
  if (closed_days.some(({ from, until }) => until < from)) return 'range';
  return closed_days.some(({ reason }) => countCodePoints(reason ?? '') > MAX_REASON_LENGTH) ? 'reason' : null;
}
