import { isLongEnoughToCount } from '@sendlap/domain/progress/athlete-weeks.ts';
import type { Trx } from '#api/database/database.ts';
import { appendEventCtes, type UserEvent } from '#api/events/event-store.ts';
import type { BroadcastEvent } from '#api/events/events.ts';
import { awardForOp, type BadgeInputs } from '#api/modules/badges/award.ts';
import { boardCtes, isFinalWeek } from '#api/modules/leaderboards/board-scores.ts';
import type { OpContext } from '../record/context.ts';
import { timesOf } from '../record/facts.ts';
import { type OpEntry, opWriteCtes, runCtes, type ValidationEntry } from '../record/op-writes.ts';
import { presentActivity } from '../record/present-activity.ts';
import { type OpOutcome, scanDecidedEvent } from '../record/refusals.ts';
import type { ActivityRow, DecisionRow } from '../record/store.ts';
import type { Change, LockedOp } from './stages.ts';

export interface SaveOptions {
  /** Inputs of the badge rules, as read before the op; undefined for one that cannot change points. */
  badges: BadgeInputs | undefined;
  /** The op and its outcome, unless already written or absent (an operator's action). */
  received?: LockedOp;
  outcome?: OpOutcome;
  log?: ValidationEntry[] | undefined;
  /** Notifies the scanner of the outcome of a scan that had waited. */
  news?: UserEvent[];
}

export type SaveContext = Pick<OpContext, 'events' | 'now'>;

/** Writes an op with its outcome, boards, badges and events: one statement in the caller's transaction. */
export async function saveChange(trx: Trx, context: SaveContext, change: Change, options: SaveOptions): Promise<void> {
  const { before, row, redistribution, decided, withdrawn, venue } = change;
  const is_same = before === row;
  const at = context.now();
  const parts = opWriteCtes({
    added: before ? [] : [row],
    changed: before && !is_same ? [row] : [],
    reallotted: redistribution?.reallotted ?? [],
    ledger: (redistribution?.ledger ?? []).map((entry) => ({
      ...entry,
      on_boards: !isFinalWeek(entry.inputs.week_key, at),
    })),
    decided: decided ? [decided] : [],
    withdrawn: withdrawn ? [withdrawn] : [],
    log: [...(options.log ?? []), ...(venue ? [venueEntry(change, row, options)] : [])],
    ops: opEntries(options),
  });
  const boards = boardCtes(row.user_id, redistribution?.weeks ?? [], at);
  const awarded = awardForOp(options.badges, {
    athlete_id: row.user_id,
    weeks: redistribution?.weeks ?? [],
    confirmed_by: newConfirmerOf(change),
    at,
  });
  const news = [...(change.news ?? []), ...(options.news ?? []), ...awarded.events];
  const events = [...(is_same ? [] : eventsOf(change, options)), ...news];
  const broadcasts = is_same ? [] : broadcastsOf(change);
  await runCtes(trx, [...parts, ...boards, ...awarded.ctes, ...appendEventCtes(events)]);
  context.events.publish(trx, events, broadcasts);
}

/** Writes only the outcome: an op that is refused or waits changes nothing else. */
export async function saveOutcome(
  trx: Trx,
  received: LockedOp,
  outcome: OpOutcome,
  log: ValidationEntry[] = [],
): Promise<void> {
  await runCtes(trx, opWriteCtes({ log, ops: opEntries({ received, outcome }) }));
}

/** Returns the user whose confirmation newly counts because of the op, else null. */
function newConfirmerOf({ before, row }: Change): string | null {
  const confirmer = confirmerOf(row);
  return before && confirmerOf(before) === confirmer ? null : confirmer;
}

function confirmerOf(row: ActivityRow): string | null {
  if (row.status !== 'validated' || row.ended_at === null) return null;
  return isLongEnoughToCount(timesOf(row)) ? row.decided_by : null;
}

export function opEntries({ received, outcome }: Pick<SaveOptions, 'received' | 'outcome'>): OpEntry[] {
  if (!received || !outcome) return [];
  const { user_id, op, body_hash } = received;
  return [{ user_id, op_id: op.op_id, ...subjectOf(received), kind: op.kind, body_hash, ...outcome }];
}

/** A scan that proves no athlete names no activity, nor does its withdrawal: their claims about one are not trusted. */
function subjectOf({ user_id, athlete_id, op }: LockedOp): Pick<OpEntry, 'activity_id' | 'athlete_id'> {
  if (athlete_id !== user_id) return { activity_id: op.client_id, athlete_id };
  const is_about_other = op.kind === 'scan' || op.kind === 'withdraw';
  return { activity_id: is_about_other ? op.op_id : op.client_id, athlete_id: null };
}

function eventsOf({ row, redistribution, overtaken }: Change, { received }: SaveOptions): UserEvent[] {
  const changed = [row, ...(redistribution?.reallotted ?? [])].map((one) => ({
    user_id: one.user_id,
    event: { type: 'activity_changed' as const, activity: presentActivity(one) },
  }));
  return overtaken
    ? [...changed, ...overtakenNews(overtaken, received?.op.kind === 'edit' ? 'edited' : 'overtaken')]
    : changed;
}

function overtakenNews({ scanner_id, op_id }: DecisionRow, outcome: 'edited' | 'overtaken'): UserEvent[] {
  if (scanner_id === null || op_id === null) return [];
  return [scanDecidedEvent(scanner_id, op_id, outcome)];
}

/** Every board that may have changed. */
function broadcastsOf({ before, row, redistribution }: Change): BroadcastEvent[] {
  const rows = [before, row].filter((one): one is ActivityRow => one?.status === 'validated');
  const boards = [...rows, ...(redistribution?.reallotted ?? [])].map(({ week_key, sport_center_id }) => ({
    type: 'leaderboard_changed' as const,
    key: week_key,
    sport_center_id,
  }));
  return [...new Map(boards.map((board) => [`${board.key} ${board.sport_center_id}`, board])).values()];
}

function venueEntry({ venue, decided }: Change, row: ActivityRow, { received }: SaveOptions): ValidationEntry {
  const code = venue?.refusal_code ?? null;
  return {
    athlete_id: row.user_id,
    activity_id: row.id,
    scanner_id: null,
    kiosk_id: venue?.kiosk_id ?? null,
    op_id: received?.op.op_id ?? row.id,
    method: 'venue',
    decision: 'confirm',
    // The start scan alone proves nothing yet.
    outcome: decided ? 'accepted' : code === null ? 'waiting' : 'refused',
    code,
    reason: null,
    scanned_at: venue?.received_at ?? row.updated_at,
    clock_offset_ms: 0,
    clock_age_ms: null,
    distance_class: 'unknown',
  };
}
