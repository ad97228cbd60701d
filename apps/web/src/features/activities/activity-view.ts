import type { Activity } from '@sendlap/contract/activities.ts';
import { type Score, scoreActivity } from '@sendlap/domain/scoring.ts';
import type { ActivityDraft, ActivityFacts, DeadOp, LocalActivity } from '#web/shared/outbox/records.ts';
import type { OutboxRows } from '#web/shared/outbox/store.ts';

/** How far an activity has come, as its chip says it. `refused`: the server did not take a step of it. */
export type ActivityProof = 'saved' | 'finished' | 'validated' | 'rejected' | 'refused';

/** One activity as the screens show it, wherever it is known from. */
export interface ActivityView extends ActivityFacts {
  client_id: string;
  ended_at: string | null;
  distance_m: number | null;
  status: Activity['status'];
  validation: Activity['validation'];
  /** 0 until validated. */
  points: number;
  /** What a confirmation would give. */
  potential_points: number;
  /** null while it runs. */
  score: Activity['score'];
  proof: ActivityProof;
  /** Why the server refused a step; null when it did not. */
  refusal: Pick<DeadOp, 'code' | 'message'> | null;
  /** Its finish can be taken back until then, ms epoch of this device; null: not any more. */
  undo: { op_id: string; until: number } | null;
  draft: ActivityDraft | null;
}

type Steps = Pick<OutboxRows, 'ops' | 'dead' | 'activities'>;

/** The score that a confirmation of these facts would give, without the day's cap. null while it runs. */
function previewScore(facts: ActivityFacts & Pick<ActivityView, 'ended_at' | 'distance_m'>): Score | null {
  if (facts.ended_at === null) return null;
  return scoreActivity({
    sport_type: facts.sport_type,
    started_at: Date.parse(facts.started_at),
    ended_at: Date.parse(facts.ended_at),
    intensity: facts.intensity,
    intensity_confirmed: false,
    distance_m: facts.distance_m,
  });
}

/**
 * The activities of this device and of the server as one list, newest start first, each once. Where both know one,
 * the newer word counts: a step that is not sent yet before the server's copy, the server's decision before all.
 */
export function mergeActivities(steps: Steps, server: Activity[]): ActivityView[] {
  const known = new Map(server.map((activity) => [activity.client_id, activity]));
  const local = new Map(steps.activities.map((activity) => [activity.client_id, activity]));
  const ids = new Set([...known.keys(), ...local.keys()]);
  return [...ids]
    .map((id) => mergeOne(local.get(id) ?? null, known.get(id) ?? local.get(id)?.server ?? null, steps))
    .filter((view) => view !== null)
    .sort((a, b) => Date.parse(b.started_at) - Date.parse(a.started_at) || (a.client_id < b.client_id ? -1 : 1));
}

function mergeOne(local: LocalActivity | null, server: Activity | null, steps: Steps): ActivityView | null {
  const client_id = local?.client_id ?? server?.client_id;
  const mine = (op: { client_id: string; kind: string }) => op.client_id === client_id && op.kind !== 'scan';
  const queued = steps.ops.filter(mine);
  const [refused] = steps.dead.filter(mine);
  const finish = queued.find((op) => op.kind === 'finish');
  const about = {
    refusal: refused ? { code: refused.code, message: refused.message } : null,
    undo: finish?.undo && finish.hold_until !== null ? { op_id: finish.op_id, until: finish.hold_until } : null,
    draft: local?.draft ?? null,
  };
  const decided = server?.status === 'validated' || server?.status === 'rejected';
  const ahead = local !== null && !decided && (queued.length > 0 || refused !== undefined || server === null);
  if (ahead) return { ...about, ...fromLocal(local, queued.length > 0 || server === null) };
  return server ? { ...about, ...fromServer(server) } : null;
}

type Known = Omit<ActivityView, 'refusal' | 'undo' | 'draft'>;

function fromLocal(local: LocalActivity, unsent: boolean): Known {
  const { sport_center_id, sport_center_name, sport_type, started_at, intensity } = local;
  const { client_id, ended_at, distance_m } = local;
  const facts = { sport_center_id, sport_center_name, sport_type, started_at, intensity, ended_at, distance_m };
  const score = previewScore(facts);
  return {
    ...facts,
    client_id,
    score,
    status: ended_at === null ? 'active' : 'finished',
    validation: 'none',
    points: 0,
    potential_points: score?.points ?? 0,
    proof: unsent ? 'saved' : 'refused',
  };
}

function fromServer(server: Activity): Known {
  const { rule_version, ...known } = server;
  return { ...known, proof: proofOf(server) };
}

function proofOf({ status }: Activity): ActivityProof {
  return status === 'validated' || status === 'rejected' ? status : 'finished';
}

/** What the outbox has to know of an activity to save a step of it. */
export function factsOf(activity: ActivityFacts): ActivityFacts {
  const { sport_center_id, sport_center_name, sport_type, started_at, intensity } = activity;
  return { sport_center_id, sport_center_name, sport_type, started_at, intensity };
}
