import { type Facts, type Given, isOutdated, isReplayed, type View, wouldStand } from './activity-view.ts';
import type { LivesModel, Waiting } from './model.ts';
import { dayOf, isMeasured } from './model-score.ts';
import { againstPause } from './model-times.ts';

const STEP_MS = 30_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The content of a code, and its athlete. */
export interface SeenCode {
  athlete: string;
  facts: Facts & { ended: number };
  step: number;
}

/**
 * Returns all reasons against a scan, empty if it is accepted and applied; 'waiting' if the athlete's own ops have not
 * arrived yet.
 */
export function judgeScan(model: LivesModel, scan: Waiting, now: number): string[] | 'waiting' {
  const { who, op, received } = scan;
  const code = model.codes.get(op.payload);
  if (!code) throw new Error('the model was not told of this code');
  if (code.athlete === who) return ['own_activity'];
  const scanned = Date.parse(op.scanned_at) + op.clock.offset_ms;
  const told = model.find(code.athlete, op.client_id);
  const view = model.view(code.athlete, op.client_id);
  const right = rightOf(model, scan, code);
  const when = { scanned, received, is_offline: op.recorded_offline === true };
  const timing = againstTimes(code, when, view, { ...op, method: right.method });
  const codes = [...right.codes, ...timing];
  if (now >= scanned + 14 * DAY_MS) codes.push('scan_too_old');
  if (codes.length > 0) return codes;
  if (!told || !view || view.status === 'active') return 'waiting';
  if (view.status === 'deleted') return ['activity_deleted'];
  const given = { ...givenOf(scan, code, right.method, scanned), decided: now };
  codes.push(...againstFacts(model, scan, code, given), ...againstStanding(view, given, told.actions));
  if (codes.length > 0) return codes;
  if (given.decision === 'confirm') codes.push(...againstOthers(model, told, given));
  if (codes.length === 0) told.actions.push({ kind: 'decide', given });
  return codes;
}

function rightOf(model: LivesModel, { who, op }: Waiting, { athlete, facts }: SeenCode) {
  const sports = model.rights.referees.get(`${who} ${facts.center}`) ?? [];
  if (sports.includes(facts.sport)) return { method: 'referee' as const, codes: [] };
  const codes = againstPeer(model, { who, op }, { athlete, facts });
  if (codes.length > 0 && sports.length > 0) return { method: 'referee' as const, codes: ['sport_not_refereed'] };
  return { method: 'peer' as const, codes };
}

function againstPeer(
  model: LivesModel,
  { who, op }: Pick<Waiting, 'who' | 'op'>,
  { athlete, facts }: Pick<SeenCode, 'athlete' | 'facts'>,
): string[] {
  if (!model.rights.friends.has(`${who} ${athlete}`)) return ['not_a_referee'];
  const was_there = model
    .views(who)
    .some(
      ({ view: { status, facts: own } }) =>
        status !== 'deleted' &&
        status !== 'rejected' &&
        own.center === facts.center &&
        own.started < facts.ended &&
        (own.ended ?? own.started + DAY_MS) > facts.started,
    );
  const codes = was_there ? [] : ['peer_not_there'];
  if (op.decision === 'reject' || op.adjust) codes.push('peer_cannot_decide');
  return codes;
}

function againstTimes(
  { facts, step }: SeenCode,
  { scanned, received, is_offline }: { scanned: number; received: number; is_offline: boolean },
  view: View | undefined,
  by: Pick<Given, 'op_id' | 'method' | 'decision'>,
): string[] {
  const late = received - scanned;
  const tolerance = is_offline || late > 60_000 ? 2 : 1;
  const answersAppeal = () => {
    const appealed = view?.appealed ?? null;
    if (appealed === null || by.method !== 'referee' || received > facts.ended + 14 * DAY_MS) return false;
    return scanned >= appealed && scanned <= appealed + 12 * HOUR_MS && scanned <= facts.ended + 14 * DAY_MS;
  };
  const codes: string[] = [];
  if (late > 14 * DAY_MS) codes.push('scan_too_old');
  if (facts.ended <= facts.started || facts.ended - facts.started > DAY_MS) codes.push('activity_duration_invalid');
  if (late < -STEP_MS) codes.push('scan_in_future');
  if (Math.abs(Math.floor(scanned / STEP_MS) - step) > tolerance) codes.push('code_expired');
  if (view && isReplayed(view, { ...by, scanned, step })) codes.push('code_replayed');
  if (scanned < facts.ended - tolerance * STEP_MS) codes.push('activity_in_future');
  if (scanned > facts.ended + 12 * HOUR_MS && !answersAppeal()) codes.push('validation_window_closed');
  return codes;
}

function givenOf(
  { who, op, received }: Waiting,
  code: SeenCode,
  method: Given['method'],
  scanned: number,
): Omit<Given, 'decided'> {
  const { adjust } = op;
  const facts: Facts = {
    ...code.facts,
    ended: adjust?.ended_at ? Date.parse(adjust.ended_at) : code.facts.ended,
    intensity: adjust?.intensity ?? code.facts.intensity,
    confirmed: adjust?.intensity !== undefined,
    distance: adjust?.distance_m ?? code.facts.distance,
  };
  return { op_id: op.op_id, scanner: who, method, decision: op.decision, scanned, step: code.step, facts, received };
}

function againstFacts(model: LivesModel, { op: { adjust } }: Waiting, { facts }: SeenCode, given: Given): string[] {
  const codes: string[] = [];
  const ended = given.facts.ended ?? 0;
  if (ended > facts.ended) codes.push('adjust_invalid');
  if (againstPause(facts.started, ended, facts.paused).length > 0) codes.push('adjust_invalid');
  if (adjust?.distance_m !== undefined && !isMeasured(facts.sport)) codes.push('adjust_invalid');
  if (given.decision === 'reject') return codes;
  if (ended <= facts.started) codes.push('activity_duration_invalid');
  return [...codes, ...model.againstSport(facts)];
}

function againstStanding(view: View, given: Given, actions: Parameters<typeof wouldStand>[0]): string[] {
  if (isOutdated(given, view)) return ['activity_edited'];
  const after = wouldStand(actions, given);
  // A decision made before the appealed rejection replaces it, as if it had come in time.
  if (after?.standing === given || after?.appealed_about === given) return [];
  // A rejection is kept, because an edit may later remove the confirmations before it.
  const rejections = actions.filter((action) => action.kind !== 'decide' || action.given.decision === 'reject');
  const alone = given.decision === 'reject' ? wouldStand(rejections, given) : undefined;
  if (alone?.standing === given || alone?.appealed_about === given) return [];
  const codes = view.status === 'validated' ? ['activity_already_validated'] : [];
  if (view.status === 'rejected') codes.push('activity_rejected');
  if (view.appealed !== null && given.scanned >= view.appealed) codes.push('appeal_needs_another_referee');
  return view.status === 'finished' ? [...codes, 'code_expired'] : codes;
}

/**
 * Checks the athlete's other activities: overlaps, referees' rejections of the same time, and the pair's count of the
 * day.
 */
function againstOthers(model: LivesModel, told: { athlete: string; activity_id: string }, given: Given): string[] {
  const { facts } = given;
  const codes = model.overlaps(told.athlete, told.activity_id, facts) ? ['activity_overlap'] : [];
  const isRejected = model.views(told.athlete, told.activity_id).some(({ view: { rejection } }) => {
    if (!rejection || rejection.facts.center !== facts.center) return false;
    const shares = rejection.facts.started < (facts.ended ?? 0) && (rejection.facts.ended ?? 0) > facts.started;
    return shares && (given.method === 'peer' || given.scanner === rejection.scanner);
  });
  if (isRejected) codes.push('appeal_needs_another_referee');
  if (given.method === 'peer' && isTooSoon(model, told, given)) codes.push('peer_too_soon');
  const points = model.points(told.athlete);
  const of_pair = model
    .views(told.athlete, told.activity_id)
    .filter(
      ({ id, view }) =>
        view.status === 'validated' &&
        view.standing?.scanner === given.scanner &&
        view.facts.center === facts.center &&
        dayOf(view.facts.started) === dayOf(facts.started) &&
        (points.get(id) ?? 0) > 0,
    );
  return of_pair.length >= 3 ? [...codes, 'pair_limit_reached'] : codes;
}

/** Whether less time lies between two confirmations of this friend than the later confirmed activity took. */
function isTooSoon(model: LivesModel, told: { athlete: string; activity_id: string }, given: Given): boolean {
  return model.views(told.athlete, told.activity_id).some(({ view: { standing } }) => {
    if (standing?.method !== 'peer' || standing.decision !== 'confirm' || standing.scanner !== given.scanner)
      return false;
    const [earlier, later] = standing.scanned <= given.scanned ? [standing, given] : [given, standing];
    return later.scanned - earlier.scanned < (later.facts.ended ?? 0) - later.facts.started;
  });
}
