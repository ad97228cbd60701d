import type { Op, OpResult } from '@sendlap/contract/activities.ts';

/** The server as the contract has it, for starts and finishes: each op id acts once, and is answered alike for ever. */
export function createServer(forgets_ids: boolean) {
  const answers = new Map<string, OpResult>();
  const owners = new Map<string, string>();
  const activities = new Map<string, { user_id: string; status: 'active' | 'finished' }>();

  function act(user_id: string, op: Op): OpResult {
    const { op_id, client_id } = op;
    const reject = (code: string): OpResult => ({ op_id, outcome: 'rejected', code, message: code });
    const activity = activities.get(client_id);
    if (op.kind === 'start') {
      const is_busy = [...activities.values()].some((other) => other.user_id === user_id && other.status === 'active');
      if (activity || is_busy) return reject('activity_running');
      activities.set(client_id, { user_id, status: 'active' });
    } else {
      if (activity?.user_id !== user_id) return reject('activity_not_found');
      if (activity.status !== 'active') return reject('activity_not_active');
      activity.status = 'finished';
    }
    owners.set(op_id, user_id);
    return { op_id, outcome: 'accepted' };
  }

  function sync(user_id: string, ops: Op[]): OpResult[] {
    return ops.map((op) => {
      const result = (forgets_ids ? undefined : answers.get(op.op_id)) ?? act(user_id, op);
      answers.set(op.op_id, result);
      return result;
    });
  }

  return { sync, ownerOf: (op_id: string) => owners.get(op_id) };
}
