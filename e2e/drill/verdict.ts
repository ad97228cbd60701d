import type { Leftovers } from '../../apps/web/test/drill/phone.ts';
import type { Action } from '../../apps/web/test/drill/saved-actions.ts';
import type { ServerRows } from '../offline/server-rows.ts';

/** What became of the phone's work after the restore. */
type Fate =
  /** Once at the server, as the phone's own user's. */
  | 'there'
  | 'doubled'
  /** Refused, and shown to the athlete with the reason. */
  | 'refused'
  /** In the queue or in a sealed record of the phone. */
  | 'kept'
  | 'lost';

export interface PhoneState {
  user_id: string;
  actions: readonly Action[];
  leftovers: Leftovers;
}

/** Returns how often the server has it. */
export function countAtServer(rows: ServerRows, user_id: string, action: Action): number {
  if (action.kind === 'message')
    return rows.messages.filter((row) => row.sender_id === user_id && row.text === textOf(action.id)).length;
  const [activity, ...more] = rows.activities.filter(({ id }) => id === action.about);
  if (activity?.user_id !== user_id) return 0;
  const is_done = action.kind === 'start' || activity.status === 'finished';
  const ops = rows.ops.filter(({ activity_id, kind }) => activity_id === action.about && kind === action.kind).length;
  return is_done ? Math.max(ops, 1 + more.length) : 0;
}

export const textOf = (message_id: string) => `message ${message_id}`;

export function judgeAction(
  rows: ServerRows,
  { user_id, leftovers }: Omit<PhoneState, 'actions'>,
  action: Action,
): Fate {
  const count = countAtServer(rows, user_id, action);
  if (count > 0) return count > 1 ? 'doubled' : 'there';
  if (leftovers.refused.some(({ id }) => id === action.id)) return 'refused';
  return leftovers.queued.includes(action.id) || leftovers.sealed > 0 ? 'kept' : 'lost';
}

export type Fates = Record<Fate, number>;

export function countFates(rows: ServerRows, phones: readonly PhoneState[]): Fates {
  const fates: Fates = { there: 0, doubled: 0, refused: 0, kept: 0, lost: 0 };
  for (const phone of phones) for (const action of phone.actions) fates[judgeAction(rows, phone, action)] += 1;
  return fates;
}
