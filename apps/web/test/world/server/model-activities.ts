import type { Op, OpResult } from '@sendlap/contract/activities.ts';
import type { ErrorCode } from '@sendlap/contract/wire/errors.ts';
import type { See } from '../base/sights.ts';
import type { BoardItem } from './model-kiosk.ts';
import { createModelProofs } from './model-proofs.ts';

export interface ModelActivity {
  user_id: string;
  started_at: string;
  ended_at: string | null;
  /** How many of start and finish came with a good code of the kiosk. */
  venue_codes: number;
}

/** What an accepted op did. */
export interface Effect {
  user_id: string;
  /** '': without a time that must be right. */
  at: string;
  /** How often it acted. */
  times: number;
}

type StartOp = Extract<Op, { kind: 'start' }>;
type FinishOp = Extract<Op, { kind: 'finish' }>;

interface ModelActivitiesDeps {
  now: () => number;
  see: See;
  forgets_ids: boolean;
  /** Returns whether a code of the kiosk counts now. */
  acceptsVenue: (payload: string) => boolean;
}

/** Starts, finishes and scans as the contract has them: each op id acts once, and is answered alike for ever. */
export function createModelActivities({ now, see, forgets_ids, acceptsVenue }: ModelActivitiesDeps) {
  const answers = new Map<string, OpResult>();
  const effects = new Map<string, Effect>();
  const activities = new Map<string, ModelActivity>();
  const proofs = createModelProofs(now, see);

  const findRunning = (user_id: string) =>
    [...activities].find(([, activity]) => activity.user_id === user_id && activity.ended_at === null)?.[0] ?? null;

  const isAtVenue = ({ venue_scan }: StartOp | FinishOp) =>
    venue_scan !== undefined && acceptsVenue(venue_scan.payload);

  function accept(user_id: string, op: Op): OpResult {
    const { op_id } = op;
    const times = (effects.get(op_id)?.times ?? 0) + 1;
    effects.set(op_id, { user_id, at: timeOf(op), times });
    return { op_id, outcome: 'accepted' };
  }

  function reject({ op_id }: Op, code: ErrorCode): OpResult {
    return { op_id, outcome: 'rejected', code, message: code };
  }

  function start(user_id: string, op: StartOp): OpResult {
    if (activities.has(op.client_id) || findRunning(user_id) !== null) return reject(op, 'activity_already_active');
    const { started_at } = op;
    activities.set(op.client_id, { user_id, started_at, ended_at: null, venue_codes: isAtVenue(op) ? 1 : 0 });
    return accept(user_id, op);
  }

  function finish(user_id: string, op: FinishOp): OpResult {
    const activity = activities.get(op.client_id);
    if (activity?.user_id !== user_id) return reject(op, 'activity_not_found');
    if (activity.ended_at !== null) return reject(op, 'activity_already_finished');
    activity.ended_at = op.ended_at;
    if (isAtVenue(op)) activity.venue_codes += 1;
    if (activity.venue_codes === 2) proofs.proveByVenue(op);
    for (const scan of proofs.join(op.client_id)) answers.set(scan.op.op_id, accept(scan.user_id, scan.op));
    return accept(user_id, op);
  }

  function act(user_id: string, op: Op): OpResult {
    if (op.kind === 'start') return start(user_id, op);
    if (op.kind === 'finish') return finish(user_id, op);
    if (op.kind === 'withdraw') proofs.withdraw(op);
    else if (op.kind !== 'scan') return reject(op, 'bad_request');
    else if (activities.get(op.client_id)?.ended_at) proofs.decide({ user_id, op });
    else {
      proofs.hold({ user_id, op });
      return { op_id: op.op_id, outcome: 'waiting' };
    }
    return accept(user_id, op);
  }

  function answer(user_id: string, op: Op): OpResult {
    const known = forgets_ids ? undefined : answers.get(op.op_id);
    if (known) return known;
    const result = act(user_id, op);
    answers.set(op.op_id, result);
    return result;
  }

  return {
    sync: (user_id: string, ops: Op[]) => ops.map((op) => answer(user_id, op)),
    effectOf: (op_id: string) => effects.get(op_id),
    pointsOf: proofs.pointsOf,
    findRunning,
    find: (client_id: string) => activities.get(client_id),
    /** Of the center, by the sums of the ledger; a user's id is the name. */
    listBoard(): BoardItem[] {
      const sums = new Map<string, number>();
      for (const [client_id, { user_id }] of activities)
        sums.set(user_id, (sums.get(user_id) ?? 0) + proofs.pointsOf(client_id));
      const ranked = [...sums].filter(([, points]) => points > 0).sort(([, one], [, other]) => other - one);
      return ranked.map(([name, points]) => ({
        rank: 1 + ranked.findIndex(([, first]) => first === points),
        name,
        points,
      }));
    },
  };
}

export type ModelActivities = ReturnType<typeof createModelActivities>;

function timeOf(op: Op): string {
  if (op.kind === 'start') return op.started_at;
  return op.kind === 'finish' ? op.ended_at : '';
}
