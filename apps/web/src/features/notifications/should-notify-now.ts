import type { NotificationChoices } from '@sendlap/contract/users.ts';
import { isTimeZone } from '@sendlap/domain/dates.ts';
import { isQuiet, parseMinuteOfDay } from '@sendlap/domain/quiet-hours.ts';

export type NotificationKind = 'messages' | 'friends' | 'proofs';

/** Whether a user with these choices wants notifications of this kind at a moment (ms epoch, server time). */
export function shouldNotifyNow(choices: NotificationChoices, kind: NotificationKind, at: number): boolean {
  if (!choices[kind]) return false;
  const { quiet_hours: hours } = choices;
  // A browser may know fewer time zones than the server does.
  if (!hours || !isTimeZone(hours.time_zone)) return true;
  return !isQuiet(
    { from: parseMinuteOfDay(hours.from), until: parseMinuteOfDay(hours.until), time_zone: hours.time_zone },
    at,
  );
}
