import type { Activity, Op } from '@sendlap/contract/activities.ts';
import {
  activeMinutes,
  findRule,
  RULE_VERSION,
  type RuleVersion,
  type Score,
  scoreActivity,
} from '@sendlap/domain/scoring.ts';
import type { OutboxSnapshot } from '#web/shared/outbox/snapshot.ts';
import {
  type ActivityDraft,
  type ActivityFacts,
  type ActivityTimes,
  type DeadOp,
  type FinishUndo,
  isOwnOp,
  type LocalActivity,
  type QueuedOp,
} from '#web/shared/outbox/store/records.ts';
import type { OutboxRows } from '#web/shared/outbox/store/rows.ts';

/** The state of an activity's proof, as its chip shows it. `refused`: the server refused one of its ops. */
export type ActivityProof = 'saved' | 'finished' | 'validated' | 'rejected' | 'refused';

/** One activity as the screens show it, from the server, from this device or merged from both. */
export interface ActivityView extends ActivityFacts {
  client_id: string;
  ended_at: string | null;
  /** Seconds at rest; 0 while it runs: see `draft`. */
  paused_s: number;
  distance_m: number | null;
  status: Activity['status'];
  validation: Activity['validation'];
  /** 0 until validated. */
  points: number;
  /** The points that a confirmation would add. */
  potential_points: number;
  rule_version: RuleVersion;
  /** null while it runs. */
  score: Activity['score'];
  proof: ActivityProof;
  /** The referee's reason, while the activity is rejected. */
  rejected_reason: string | null;
  /** The athlete can appeal to another referee. */
  can_appeal: boolean;
  /** When the athlete appealed to another referee; null: no appeal. */
  appealed_at: string | null;
  /** The error code that says why the scanned venue code does not count. */
  proof_note: string | null;
  /** The first refused op's error and the kinds of all refused ops; null if the server accepted all ops. */
  refusal: Refusal | null;
  /** Until when the finish can be undone, ms epoch by this device's clock; null: it can't be undone. */
  undo: Pick<FinishUndo, 'since' | 'until'> | null;
  draft: ActivityDraft | null;
}

interface Refusal extends Pick<DeadOp, 'code' | 'message'> {
  /** The times that the activity may have had, if only the athlete knows. */
  proposals: ActivityTimes[];
  /** The kinds of all refused ops. */
  kinds: Op['kind'][];
  /** The athlete made it part of another one, which had ended on the other phone before. */
  had_ended: boolean;
}

type LocalRows = Pick<OutboxRows, 'ops' | 'dead' | 'activities'>;

type Facts = Pick<ActivityView, 'rule_version' | 'sport_type' | 'started_at' | 'paused_s' | 'intensity' | 'distance_m'>;

/**
 * Returns the score of these facts with an end (ms epoch), without the day's cap; `distance_confirmed`: by a referee.
 */
export function scoreOf(facts: Facts, ended_at: number, distance_confirmed = false): Score {
  const { rule_version, sport_type, started_at, paused_s, intensity, distance_m } = facts;
  const times = { started_at: Date.parse(started_at), ended_at, paused_s };
  const measured = { rule_version, sport_type, intensity, distance_m };
  return scoreActivity({ ...measured, ...times, intensity_confirmed: false, distance_confirmed });
}

/** Returns the score that a confirmation would give; null while the activity runs. */
function previewScore(facts: Facts & Pick<ActivityView, 'ended_at'>): Score | null {
  return facts.ended_at === null ? null : scoreOf(facts, Date.parse(facts.ended_at));
}

/**
 * Merges the activities of this device and of the server into one list without duplicates, newest start first. If both
 * have one, a queued op beats the server's copy, and the server's decision beats everything.
 */
export function mergeActivities(rows: LocalRows, server: Activity[]): ActivityView[] {
  const server_by_id = new Map(server.map((activity) => [activity.client_id, activity]));
  const local_by_id = new Map(rows.activities.map((activity) => [activity.client_id, activity]));
  const ids = new Set([...server_by_id.keys(), ...local_by_id.keys()]);
  return [...ids]
    .map((id) =>
      mergeActivity(local_by_id.get(id) ?? null, server_by_id.get(id) ?? local_by_id.get(id)?.server ?? null, rows),
    )
    .filter((view) => view !== null)
    .sort((a, b) => Date.parse(b.started_at) - Date.parse(a.started_at) || (a.client_id < b.client_id ? -1 : 1));
}

/**
 * As `mergeActivities`; none until this device's rows have been read. Without them, a swim that was finished without a
 * network would be shown as running.
 */
export function mergeWithOutbox(
  outbox: LocalRows & Pick<OutboxSnapshot, 'loaded' | 'storage_error'>,
  server: Activity[],
): ActivityView[] {
  const is_read = outbox.loaded || outbox.storage_error !== null;
  return is_read ? mergeActivities(outbox, server) : [];
}

function mergeActivity(local: LocalActivity | null, server: Activity | null, rows: LocalRows): ActivityView | null {
  const client_id = local?.client_id ?? server?.client_id;
  const isOpOfActivity = (op: Pick<QueuedOp, 'client_id' | 'kind'>) => op.client_id === client_id && isOwnOp(op);
  const queued = rows.ops.filter(isOpOfActivity);
  const refused = rows.dead.filter(isOpOfActivity).sort((a, b) => a.seq - b.seq);
  const is_deleted = server?.status === 'deleted' || local?.server?.status === 'deleted';
  if (is_deleted || queued.some((op) => op.kind === 'delete')) return null;
  const base = selectBase(local, server, { queued, refused });
  if (!base) return null;
  const local_fields = {
    refusal: toRefusal(refused),
    undo: (base.status === 'finished' && local?.undo) || null,
    draft: local?.draft ?? null,
  };
  return queued.reduce(applyQueuedOp, { ...local_fields, ...base });
}

/**
 * Uses the local row while its start or finish is queued or refused, otherwise the server's copy; a server decision
 * always wins.
 */
function selectBase(
  local: LocalActivity | null,
  server: Activity | null,
  { queued, refused }: { queued: QueuedOp[]; refused: DeadOp[] },
): BaseView | null {
  const isStartOrFinish = ({ kind }: Pick<QueuedOp, 'kind'>) => kind === 'start' || kind === 'finish';
  const decided = server?.status === 'validated' || server?.status === 'rejected';
  const is_queued = queued.some((op) => isStartOrFinish(op) || op.kind === 'reopen');
  const is_refused = refused.some(isStartOrFinish);
  if (local !== null && !decided && (server === null || is_queued || is_refused))
    return fromLocal(local, is_refused && !is_queued ? 'refused' : 'saved');
  return server && fromServer(server);
}

function toRefusal(refused: DeadOp[]): Refusal | null {
  const [first] = refused;
  if (!first) return null;
  const { code, message, proposals = [], had_ended = false } = first;
  return { code, message, proposals, kinds: refused.map((op) => op.kind), had_ended };
}

type BaseView = Omit<ActivityView, 'refusal' | 'undo' | 'draft'>;

/** Applies a queued correction or appeal to the view as an optimistic update. */
function applyQueuedOp(view: ActivityView, { payload: op, facts }: QueuedOp): ActivityView {
  if (op.kind === 'appeal') {
    return { ...view, status: 'finished', can_appeal: false, appealed_at: op.appealed_at, proof: 'saved' };
  }
  if (op.kind !== 'edit') return view;
  const { started_at, ended_at, paused_s, distance_m, intensity, sport_type, sport_center_id } = op;
  const fields = { started_at, ended_at, paused_s, distance_m, intensity, sport_type, sport_center_id };
  const defined_fields = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const sport_center_name = facts?.sport_center_name ?? view.sport_center_name;
  const edited: ActivityView = { ...view, ...defined_fields, sport_center_name };
  const score = previewScore(edited);
  const potential_points = score?.points ?? 0;
  const status = edited.ended_at === null ? 'active' : 'finished';
  return { ...edited, status, validation: 'none', points: 0, potential_points, score, proof: 'saved' };
}

function fromLocal(local: LocalActivity, proof: ActivityProof): BaseView {
  const { sport_center_id, sport_center_name, sport_type, started_at, intensity } = local;
  const { client_id, ended_at, paused_s = 0, distance_m } = local;
  const times = { started_at, ended_at, paused_s };
  const facts = { sport_center_id, sport_center_name, sport_type, intensity, distance_m, ...times };
  const rule_version = local.server ? supportedRule(local.server) : RULE_VERSION;
  const score = previewScore({ ...facts, rule_version });
  return {
    ...facts,
    client_id,
    rule_version,
    score,
    status: ended_at === null ? 'active' : 'finished',
    validation: 'none',
    points: 0,
    potential_points: score?.points ?? 0,
    rejected_reason: null,
    can_appeal: false,
    appealed_at: null,
    proof_note: null,
    proof,
  };
}

/**
 * A newer server may use a scoring rule that this app does not know; until its update the app shows the newest one it
 * knows.
 */
function supportedRule({ rule_version }: Activity): RuleVersion {
  return findRule(rule_version) ?? RULE_VERSION;
}

function fromServer(server: Activity): BaseView {
  // A copy from before there were pauses lacks them.
  return { ...server, paused_s: server.paused_s ?? 0, rule_version: supportedRule(server), proof: proofOf(server) };
}

function proofOf({ status }: Activity): ActivityProof {
  return status === 'validated' || status === 'rejected' ? status : 'finished';
}

/**
 * Returns the activity that runs now. An activity that the server refused is skipped: it can be finished, but it does
 * not block the start of another.
 */
export function findRunning(activities: readonly ActivityView[]): ActivityView | null {
  return activities.find(({ status, proof }) => status === 'active' && proof !== 'refused') ?? null;
}

/** Returns the whole minutes of the active time of an activity that has ended. */
export function activeMinutesOf({
  started_at,
  ended_at,
  paused_s,
}: Pick<ActivityView, 'started_at' | 'ended_at' | 'paused_s'>): number {
  const [start, end] = [Date.parse(started_at), Date.parse(ended_at ?? started_at)];
  return activeMinutes({ started_at: start, ended_at: end, paused_s });
}

/** Returns the facts that the outbox needs to save an op of this activity. */
export function factsOf(activity: ActivityFacts): ActivityFacts {
  const { sport_center_id, sport_center_name, sport_type, started_at, intensity } = activity;
  return { sport_center_id, sport_center_name, sport_type, started_at, intensity };
}
