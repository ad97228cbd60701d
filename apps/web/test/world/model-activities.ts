import type { Op, OpResult } from '@sendlap/contract/activities.ts';
import type { ErrorCode } from '@sendlap/contract/wire/errors.ts';

export interface ModelActivity {
  user_id: string;
  started_at: string;
  ended_at: string | null;
}

/** What an accepted op did. */
export interface Effect {
  user_id: string;
  at: string;
}

function timeOf(op: Op): string {
  if (op.kind === 'start') return op.started_at;
  return op.kind === 'finish' ? op.ended_at : '';
}

/** Starts and finishes as the contract has them: each op id acts once, and is answered alike for ever. */
export function createModelActivities(forgets_ids: boolean) {
  const answers = new Map<string, OpResult>();
  const effects = new Map<string, Effect>();
  const activities = new Map<string, ModelActivity>();

  const findRunning = (user_id: string) =>
    [...activities].find(([, activity]) => activity.user_id === user_id && activity.ended_at === null)?.[0] ?? null;

  /** Returns why the op is refused; null: it has acted. */
  function act(user_id: string, op: Op): ErrorCode | null {
    const activity = activities.get(op.client_id);
    if (op.kind === 'start') {
      if (activity || findRunning(user_id) !== null) return 'activity_already_active';
      activities.set(op.client_id, { user_id, started_at: op.started_at, ended_at: null });
      return null;
    }
    if (op.kind !== 'finish' || activity?.user_id !== user_id) return 'activity_not_found';
    if (activity.ended_at !== null) return 'activity_already_finished';
    activity.ended_at = op.ended_at;
    return null;
  }

  function answer(user_id: string, op: Op): OpResult {
    const { op_id } = op;
    const known = forgets_ids ? undefined : answers.get(op_id);
    if (known) return known;
    const code = act(user_id, op);
    if (code === null) effects.set(op_id, { user_id, at: timeOf(op) });
    const result: OpResult = code
      ? { op_id, outcome: 'rejected', code, message: code }
      : { op_id, outcome: 'accepted' };
    answers.set(op_id, result);
    return result;
  }

  return {
    sync: (user_id: string, ops: Op[]) => ops.map((op) => answer(user_id, op)),
    effectOf: (op_id: string) => effects.get(op_id),
    findRunning,
    find: (client_id: string) => activities.get(client_id),
  };
}

export type ModelActivities = ReturnType<typeof createModelActivities>;
