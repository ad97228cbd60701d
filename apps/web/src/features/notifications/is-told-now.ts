import type { NotificationChoices } from '@sendlap/contract/users.ts';
import { isTimeZone } from '@sendlap/domain/dates.ts';
import { isQuiet, toMinute } from '@sendlap/domain/quiet-hours.ts';

export type NewsKind = 'messages' | 'friends' | 'proofs';

/** Whether somebody with these choices wants to be told of this kind of thing at a moment (ms epoch of the server). */
export function isToldNow(choices: NotificationChoices, kind: NewsKind, at: number): boolean {
  if (!choices[kind]) return false;
  const { quiet_hours: hours } = choices;
  // A browser may know fewer time zones than the server.
  if (!hours || !isTimeZone(hours.time_zone)) return true;
  return !isQuiet({ from: toMinute(hours.from), until: toMinute(hours.until), time_zone: hours.time_zone }, at);
}
