import {
  type Activity,
  type ActivityDetail,
  appealActivity,
  deleteActivity,
  editActivity,
  finishActivity,
  getActivity,
  listActivities,
  type Op,
  type OpResult,
  startActivity,
  syncActivities,
} from '@sendlap/contract/activities.ts';
import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import type { ErrorCode } from '@sendlap/contract/wire/errors.ts';
import { type FakeServer, Refusal } from './fake-server.ts';
import { withoutUndefined } from './without-undefined.ts';

/** Sorts after any activity. */
const LATEST = '9999';

/** Of every finished activity: the model scores nothing. */
export const POTENTIAL_POINTS = 331;

/** A finished, unconfirmed swim of 45 minutes; its id is made of `number` (1 to 9999). */
export function activityOf(number: number, center: SportCenter, facts: Partial<Activity> = {}): Activity {
  return {
    client_id: `00000000-0000-4000-9000-${String(number).padStart(12, '0')}`,
    sport_center_id: center.id,
    sport_center_name: center.name,
    sport_type: 'swimming',
    started_at: '2026-11-20T10:00:00.000Z',
    ended_at: '2026-11-20T10:45:00.000Z',
    paused_s: 0,
    status: 'finished',
    validation: 'none',
    points: 0,
    potential_points: POTENTIAL_POINTS,
    rule_version: 'met-1',
    intensity: 'moderate',
    distance_m: null,
    score: null,
    rejected_reason: null,
    can_appeal: false,
    appealed_at: null,
    proof_note: null,
    ...facts,
  };
}

/**
 * The activities of one athlete as the server stores them: each op counts once, a repeated op id returns the stored
 * outcome. Scores nothing and checks no times; a test that needs that uses the real server.
 */
export class ActivityModel {
  readonly #server: FakeServer;
  readonly #centers: SportCenter[];
  readonly #activities: Map<string, Activity>;
  readonly #outcomes = new Map<string, OpResult>();
  readonly #refusals = new Map<Op['kind'], ErrorCode>();
  readonly #details = new Map<string, Partial<ActivityDetail>>();
  #decision: Partial<Activity> = {};

  constructor(server: FakeServer, centers: SportCenter[], first: Activity[] = []) {
    this.#server = server;
    this.#centers = centers;
    this.#activities = new Map(first.map((activity) => [activity.client_id, activity]));
    this.#answerReads();
    this.#answerWrites();
  }

  list(): Activity[] {
    return [...this.#activities.values()];
  }

  /** Adds an activity as another device of the athlete does; this device learns of it at its next request. */
  add(activity: Activity): void {
    this.#activities.set(activity.client_id, activity);
  }

  /** Acts as a server that was restored from a backup without any activity. */
  loseEverything(): void {
    this.#activities.clear();
    this.#outcomes.clear();
  }

  /** Returns the op ids that were decided, in order. */
  ops(): string[] {
    return [...this.#outcomes.keys()];
  }

  /** Answers a request of queued ops. */
  readonly answer = (ops: Op[]): { results: OpResult[] } => ({ results: ops.map((op) => this.#receive(op)) });

  /** Refuses every op of a kind from now on; null accepts them again. */
  refuseOps(kind: Op['kind'], code: ErrorCode | null): void {
    if (code) this.#refusals.set(kind, code);
    else this.#refusals.delete(kind);
  }

  /**
   * Acts as a referee who has scanned the code of the activity that is finished next: the server decides at that
   * finish.
   */
  decideAtFinish(decision: Pick<Activity, 'status' | 'validation' | 'points'>): void {
    this.#decision = decision;
  }

  /** Sets the rest of the athlete's detail: proofs and ledger. */
  setDetail(client_id: string, detail: Partial<ActivityDetail>): void {
    this.#details.set(client_id, detail);
  }

  /** Changes an activity as a referee or another device does, and sends it to the athlete's stream. */
  changeAndNotify(client_id: string, facts: Partial<Activity>): void {
    this.#server.tell({ type: 'activity_changed', activity: this.#change(client_id, facts) });
  }

  #answerReads(): void {
    this.#server.on(getActivity, ({ params }) => {
      const activity = this.#find(params.client_id);
      return { ...activity, proofs: [], ledger: [], ...this.#details.get(activity.client_id) };
    });
    this.#server.on(listActivities, ({ query }) => {
      const { sport, status, from = '', to = LATEST } = query;
      const all = this.list()
        .filter((activity) => activity.status !== 'deleted')
        .filter((activity) => sport === undefined || activity.sport_type === sport)
        .filter((activity) => status === undefined || activity.status === status)
        .filter(({ started_at }) => started_at >= from && started_at < to)
        .sort((a, b) => b.started_at.localeCompare(a.started_at));
      const start = Number(query.cursor ?? 0);
      const end = start + Number(query.limit);
      return { items: all.slice(start, end), next_cursor: end < all.length ? String(end) : null };
    });
  }

  #answerWrites(): void {
    const alone = (op: object) => this.#receiveAlone(op as Op);
    this.#server.on(syncActivities, ({ body }) => this.answer(body.ops as Op[]));
    this.#server.on(startActivity, ({ body }) => alone({ kind: 'start', ...body }));
    this.#server.on(finishActivity, ({ params, body }) => alone({ kind: 'finish', ...params, ...body }));
    this.#server.on(editActivity, ({ params, body }) => alone({ kind: 'edit', ...params, ...body }));
    this.#server.on(deleteActivity, ({ params, body }) => alone({ kind: 'delete', ...params, ...body }));
    this.#server.on(appealActivity, ({ params, body }) => alone({ kind: 'appeal', ...params, ...body }));
  }

  /** Returns the outcome of an op; for a repeated op, the stored one. */
  #receive(op: Op): OpResult {
    const stored = this.#outcomes.get(op.op_id);
    if (stored) return { ...stored, outcome: stored.outcome === 'accepted' ? 'duplicate' : stored.outcome };
    const result = this.#decide(op);
    this.#outcomes.set(op.op_id, result);
    return result;
  }

  #receiveAlone(op: Op): Activity {
    const { code, activity } = this.#receive(op);
    if (code) throw new Refusal(code as ErrorCode);
    if (!activity) throw new Refusal('activity_not_found');
    return activity;
  }

  #decide(op: Op): OpResult {
    try {
      return { op_id: op.op_id, outcome: 'accepted', activity: this.#apply(op) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { op_id: op.op_id, outcome: 'rejected', code: error.code, message: error.message };
    }
  }

  #apply(op: Op): Activity | null {
    const code = this.#refusals.get(op.kind);
    if (code) throw new Refusal(code);
    switch (op.kind) {
      case 'start':
        return this.#start(op);
      case 'finish': {
        const { client_id, ended_at, paused_s = 0, distance_m = null, intensity } = op;
        const facts = {
          status: 'finished',
          ended_at,
          paused_s,
          distance_m,
          potential_points: POTENTIAL_POINTS,
        } as const;
        return this.#change(client_id, { ...facts, ...withoutUndefined({ intensity }), ...this.#decision });
      }
      case 'reopen':
        return this.#reopen(op.client_id);
      case 'edit': {
        const { kind: _kind, client_id, op_id: _op_id, edited_at: _edited_at, ...facts } = op;
        const status = this.#find(client_id).status === 'active' ? 'active' : 'finished';
        const unproven = { status, validation: 'none', points: 0 } as const;
        return this.#change(client_id, { ...withoutUndefined(facts), ...unproven });
      }
      case 'delete':
        return this.#change(op.client_id, { status: 'deleted' });
      case 'appeal':
        return this.#change(op.client_id, { status: 'finished', can_appeal: false, appealed_at: op.appealed_at });
      case 'scan':
      case 'withdraw':
        return this.#activities.get(op.client_id) ?? null;
    }
  }

  #reopen(client_id: string): Activity {
    const { status } = this.#find(client_id);
    if (status === 'validated') throw new Refusal('activity_already_validated');
    return this.#change(client_id, { status: 'active', ended_at: null, paused_s: 0, distance_m: null });
  }

  #start(op: Extract<Op, { kind: 'start' }>): Activity {
    const center = this.#centers.find(({ id }) => id === op.sport_center_id);
    if (!center) throw new Refusal('sport_center_not_found');
    const { client_id, sport_type, started_at, intensity = null } = op;
    const running = { status: 'active', ended_at: null, potential_points: 0 } as const;
    const started = { ...activityOf(1, center, running), client_id, sport_type, started_at, intensity };
    this.#activities.set(client_id, started);
    return started;
  }

  #find(client_id: string): Activity {
    const activity = this.#activities.get(client_id);
    if (!activity || activity.status === 'deleted') throw new Refusal('activity_not_found');
    return activity;
  }

  #change(client_id: string, facts: Partial<Activity>): Activity {
    const changed = { ...this.#find(client_id), ...facts };
    this.#activities.set(client_id, changed);
    return changed;
  }
}
