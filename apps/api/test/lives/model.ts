import type { Op } from '@sendlap/contract/activities.ts';
import { type Action, type Facts, type Given, look, type View } from './activity-view.ts';
import { reopen } from './model-reopen.ts';
import { judgeScan, type SeenCode } from './model-scan.ts';
import { boardsOf, isMeasured, type Proven, pointsOf } from './model-score.ts';
import { againstEnd, againstScans, againstStart, type SeenVenueCode, venueOf } from './model-times.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The required outcome of an op. `codes`: all reasons against it; the server may name any of them. */
export interface Verdict {
  outcome: 'accepted' | 'waiting' | 'rejected' | 'duplicate';
  codes: string[];
}

export interface Told {
  activity_id: string;
  athlete: string;
  actions: Action[];
}

export interface Rights {
  /** `${who} ${center}` → sports. */
  referees: Map<string, string[]>;
  /** `${who} ${other}`, both ways. */
  friends: Set<string>;
  /** The sports of a center. */
  sports: Map<string, string[]>;
}

export interface Waiting {
  who: string;
  op: ScanOp;
  received: number;
}

export type ScanOp = Extract<Op, { kind: 'scan' }>;
type OpOf<Kind extends Op['kind']> = Extract<Op, { kind: Kind }>;

/**
 * The rules of activities as a brute force: lists, and everything recomputed from them at each op. Uses nothing of the
 * code under test; state changes only if an op is accepted.
 */
export class LivesModel {
  readonly told: Told[] = [];
  readonly waiting: Waiting[] = [];
  readonly codes = new Map<string, SeenCode>();
  readonly venue_codes = new Map<string, SeenVenueCode>();
  readonly rights: Rights;
  private readonly outcomes = new Map<string, { body: string; verdict: Verdict }>();

  constructor(rights: Rights) {
    this.rights = rights;
  }

  view(athlete: string, activity_id: string): View | undefined {
    return look(this.find(athlete, activity_id)?.actions ?? []);
  }

  find(athlete: string, activity_id: string): Told | undefined {
    return this.told.find((one) => one.athlete === athlete && one.activity_id === activity_id);
  }

  views(athlete: string, except = ''): { id: string; view: View }[] {
    return this.told
      .filter((one) => one.athlete === athlete && one.activity_id !== except)
      .flatMap(({ activity_id: id, actions }) => {
        const view = look(actions);
        return view ? [{ id, view }] : [];
      });
  }

  apply(who: string, op: Op, now: number): Verdict {
    const key = `${who} ${op.op_id}`;
    const known = this.outcomes.get(key);
    const body = JSON.stringify(op);
    if (known && known.body !== body) return { outcome: 'rejected', codes: ['idempotency_mismatch'] };
    if (known) {
      const { verdict } = known;
      return verdict.outcome === 'accepted' ? { outcome: 'duplicate', codes: [] } : verdict;
    }
    const verdict = this.carryOut(who, op, now);
    this.outcomes.set(key, { body, verdict });
    if (verdict.outcome === 'accepted' && (op.kind === 'finish' || op.kind === 'delete'))
      this.join(who, op.client_id, now);
    return verdict;
  }

  private carryOut(who: string, op: Op, now: number): Verdict {
    if (op.kind === 'scan') {
      const judged = judgeScan(this, { who, op, received: now }, now);
      if (judged === 'waiting') {
        this.waiting.push({ who, op, received: now });
        return { outcome: 'waiting', codes: [] };
      }
      return verdictOf(judged);
    }
    if (op.kind === 'start') return verdictOf(this.start(who, op, now));
    if (op.kind === 'withdraw') return verdictOf(this.withdraw(who, op, now));
    const told = this.find(who, op.client_id);
    const view = look(told?.actions ?? []);
    if (!told || !view) return verdictOf(['activity_not_found']);
    if (op.kind === 'finish') return verdictOf(this.finish(told, view, op, now));
    if (op.kind === 'reopen') return verdictOf(reopen(this, told, view));
    if (op.kind === 'edit') return verdictOf(this.edit(told, view, op, now));
    if (op.kind === 'appeal') return verdictOf(this.appeal(told, view, op, now));
    told.actions.push({ kind: 'delete' });
    return verdictOf([]);
  }

  /** Applies the scans that waited for this activity, in the order in which they were made. */
  private join(athlete: string, activity_id: string, now: number): void {
    const mine = this.waiting.filter(({ op }) => {
      const code = this.codes.get(op.payload);
      return code?.athlete === athlete && op.client_id === activity_id;
    });
    const scanned = ({ op }: Waiting) => Date.parse(op.scanned_at) + op.clock.offset_ms;
    mine.sort((a, b) => scanned(a) - scanned(b) || (a.op.op_id < b.op.op_id ? -1 : 1));
    for (const one of mine) {
      this.waiting.splice(this.waiting.indexOf(one), 1);
      const judged = judgeScan(this, one, now);
      const verdict = verdictOf(judged === 'waiting' ? ['scan_too_old'] : judged);
      this.outcomes.set(`${one.who} ${one.op.op_id}`, { body: JSON.stringify(one.op), verdict });
    }
  }

  private start(who: string, op: OpOf<'start'>, now: number): string[] {
    const started = Date.parse(op.started_at);
    const facts: Facts = {
      center: op.sport_center_id,
      sport: op.sport_type,
      started,
      ended: null,
      paused: 0,
      intensity: op.intensity ?? null,
      confirmed: false,
      distance: null,
    };
    const there = this.find(who, op.client_id);
    const codes = [...againstStart(started, now), ...this.againstSport(facts)];
    if (there) codes.push(this.view(who, op.client_id)?.status === 'deleted' ? 'activity_deleted' : 'conflict');
    const others = this.views(who, op.client_id);
    if (others.some(({ view }) => view.status === 'active')) codes.push('activity_already_active');
    if (this.overlaps(who, op.client_id, facts)) codes.push('activity_overlap');
    if (codes.length > 0) return codes;
    const { at, note } = venueOf(this.venue_codes, op.venue_scan?.payload, op.sport_center_id, now);
    this.told.push({ activity_id: op.client_id, athlete: who, actions: [{ kind: 'start', facts, venue: at, note }] });
    return [];
  }

  private finish(told: Told, view: View, op: OpOf<'finish'>, now: number): string[] {
    if (view.status === 'deleted') return ['activity_deleted'];
    if (view.status !== 'active') return ['activity_already_finished'];
    const ended = Date.parse(op.ended_at);
    const { own } = view;
    const paused = op.paused_s ?? 0;
    const codes = againstEnd({ started: own.started, ended, paused }, now);
    if (!isMeasured(own.sport) && op.distance_m !== undefined) codes.push('validation_failed');
    if (this.overlaps(told.athlete, told.activity_id, { ...own, ended })) codes.push('activity_overlap');
    if (codes.length > 0) return codes;
    const { at, note } = venueOf(this.venue_codes, op.venue_scan?.payload, own.center, now);
    const missing = (view.venue === null) === (at === null) ? null : 'venue_scan_missing';
    const distance = op.distance_m ?? null;
    const finish = { kind: 'finish', ended, paused, distance, note: view.note ?? note ?? missing } as const;
    told.actions.push(op.intensity ? { ...finish, intensity: op.intensity } : finish);
    if (view.venue === null || at === null || finish.note !== null) return [];
    this.proveByVenue(told, op.op_id, { from: view.venue, to: at });
    return [];
  }

  private proveByVenue(told: Told, op_id: string, { from, to }: { from: number; to: number }): void {
    const own = look(told.actions)?.own;
    if (!own || own.ended === null) return;
    const [started, ended] = [Math.max(from, own.started), Math.min(to, own.ended)];
    const facts = { ...own, started, ended, paused: Math.min(own.paused, Math.floor((ended - started) / 1000)) };
    const note = againstScans({ from, to }, { started, ended });
    const last = told.actions.at(-1);
    if (note !== null && last?.kind === 'finish') last.note = note;
    if (note !== null) return;
    const given: Given = {
      op_id,
      scanner: null,
      method: 'venue',
      decision: 'confirm',
      scanned: to,
      step: null,
      facts,
      received: to,
      decided: to,
    };
    told.actions.push({ kind: 'decide', given });
  }

  private edit(told: Told, view: View, op: OpOf<'edit'>, now: number): string[] {
    if (view.status === 'deleted') return ['activity_deleted'];
    if (view.status === 'rejected') return ['activity_rejected'];
    const { own } = view;
    if ((op.ended_at ?? op.paused_s) !== undefined && view.status === 'active') return ['activity_not_finished'];
    const sport = op.sport_type ?? own.sport;
    const distance = op.distance_m === undefined ? own.distance : op.distance_m;
    const facts: Facts = {
      ...own,
      sport,
      center: op.sport_center_id ?? own.center,
      started: op.started_at === undefined ? own.started : Date.parse(op.started_at),
      ended: op.ended_at === undefined ? own.ended : Date.parse(op.ended_at),
      paused: op.paused_s ?? own.paused,
      intensity: op.intensity ?? own.intensity,
      distance: isMeasured(sport) ? distance : null,
    };
    const codes: string[] = [];
    if (!isMeasured(sport) && typeof op.distance_m === 'number') codes.push('validation_failed');
    if (facts.started !== own.started) codes.push(...againstStart(facts.started, now));
    if (facts.ended !== null) codes.push(...againstEnd({ ...facts, ended: facts.ended }, now));
    const is_elsewhere = facts.center !== own.center || facts.sport !== own.sport || facts.started !== own.started;
    if (is_elsewhere) codes.push(...this.againstSport(facts));
    if (codes.length === 0 && JSON.stringify(facts) === JSON.stringify(own)) return [];
    if (Date.parse(op.edited_at) > now + 2 * MINUTE_MS) codes.push('activity_in_future');
    const at = Math.min(Date.parse(op.edited_at), now);
    const action: Action = { kind: 'edit', at, facts, leaves_center: facts.center !== view.facts.center };
    const after = look([...told.actions, action]);
    if (after && this.overlaps(told.athlete, told.activity_id, after.facts)) codes.push('activity_overlap');
    if (codes.length === 0) told.actions.push(action);
    return codes;
  }

  private appeal(told: Told, view: View, op: OpOf<'appeal'>, now: number): string[] {
    if (view.status === 'deleted') return ['activity_deleted'];
    if (view.status !== 'rejected') return ['activity_not_rejected'];
    if (view.appealed !== null) return ['appeal_used'];
    const said = Date.parse(op.appealed_at);
    const codes = said > now + 2 * MINUTE_MS ? ['activity_in_future'] : [];
    const action: Action = { kind: 'appeal', at: Math.max(Math.min(said, now), (view.standing?.scanned ?? 0) + 1) };
    const after = look([...told.actions, action]);
    if (after && this.overlaps(told.athlete, told.activity_id, after.facts)) codes.push('activity_overlap');
    if (codes.length === 0) told.actions.push(action);
    return codes;
  }

  private withdraw(who: string, op: OpOf<'withdraw'>, now: number): string[] {
    const undecided = this.waiting.findIndex((one) => one.who === who && one.op.op_id === op.scan_op_id);
    if (undecided >= 0) {
      const [{ op: scan } = { op }] = this.waiting.splice(undecided, 1);
      this.outcomes.set(`${who} ${scan.op_id}`, { body: JSON.stringify(scan), verdict: verdictOf(['scan_withdrawn']) });
      return [];
    }
    const told = this.told.find(
      (one) =>
        one.activity_id === op.client_id &&
        look(one.actions)?.given.some(({ op_id, scanner }) => op_id === op.scan_op_id && scanner === who),
    );
    const view = look(told?.actions ?? []);
    const given = view?.given.find(({ op_id }) => op_id === op.scan_op_id);
    if (!told || !view || !given) return ['decision_not_found'];
    if (view.standing !== given) return ['decision_not_in_force'];
    if (now > given.decided + DAY_MS) return ['decision_too_old'];
    for (const keep of [false, true]) {
      const action: Action = { kind: 'withdraw', op_id: given.op_id, at: now, keep };
      const after = look([...told.actions, action]);
      if (!after) continue;
      if (after.status !== 'deleted' && this.overlaps(told.athlete, told.activity_id, after.facts)) continue;
      told.actions.push(action);
      return [];
    }
    return ['activity_overlap'];
  }

  againstSport({ center, sport }: Pick<Facts, 'center' | 'sport'>): string[] {
    return this.rights.sports.get(center)?.includes(sport) ? [] : ['sport_not_offered'];
  }

  /** Returns whether the time of these facts overlaps with another activity of the athlete that takes time. */
  overlaps(athlete: string, except: string, facts: Facts): boolean {
    const until = facts.ended ?? facts.started + 1;
    return this.views(athlete, except).some(({ view: { status, facts: other } }) => {
      if (status === 'rejected' || status === 'deleted') return false;
      return other.started < until && (other.ended === null || other.ended > facts.started);
    });
  }

  proven(athlete: string): Proven[] {
    return this.views(athlete).flatMap(({ id, view: { status, facts, standing } }) => {
      if (status !== 'validated' || !standing || facts.ended === null) return [];
      return [{ ...facts, id, ended: facts.ended, method: standing.method, scanned: standing.scanned }];
    });
  }

  points(athlete: string): Map<string, number> {
    return pointsOf(this.proven(athlete));
  }

  boards(athlete: string): string[] {
    return boardsOf(this.proven(athlete));
  }
}

function verdictOf(codes: string[]): Verdict {
  return codes.length === 0 ? { outcome: 'accepted', codes } : { outcome: 'rejected', codes };
}
