import { createHash } from 'node:crypto';
import type { Op } from '@sendlap/contract/activities.ts';
import { hasDistance } from '@sendlap/domain/sports.ts';
import { signCode } from '../factories.ts';
import { FIRST_MOMENT, type PairedKiosk, type Person } from '../scenes/clocked-world.ts';
import { venueCodeAt } from '../scenes/kiosk.ts';
import type { Facts, View } from './activity-view.ts';
import { type Command, type Life, SCANNED_NOW } from './commands.ts';
import { LivesModel, type Rights, type Verdict } from './model.ts';
import { adjustmentOf, changeOf, codeOf, iso, nthOf, type Shown, showOf } from './steps.ts';

const MINUTE_MS = 60_000;
const LATEST_MOMENT = FIRST_MOMENT + 5 * 86_400_000;

/**
 * The cast: three athletes, the first two friends; the first referee may confirm everywhere, the second only climbs.
 */
export interface Cast {
  athletes: Person[];
  referees: Person[];
  center: string;
  wall: string;
  kiosk: PairedKiosk;
  rights: Rights;
}

/** One op as it is sent, and the answer it must get. */
export interface Sent {
  at: number;
  who: Person;
  op: Op;
  verdict: Verdict;
  /** The athlete's view that the same answer must hold. */
  shown: Shown | undefined;
}

type Of<Kind extends Command['kind']> = Extract<Command, { kind: Kind }>;
type Named = Pick<Of<'record'>, 'athlete' | 'activity'>;

/** Turns commands into ops. The model runs ahead: what a device sends next depends on the outcome of its last op. */
export class Plan {
  readonly model: LivesModel;
  readonly sent: Sent[] = [];
  private readonly cast: Cast;
  private readonly salt: number;
  private ids = 0;
  private now = FIRST_MOMENT + 6 * 3_600_000;
  private readonly known: { athlete: number; activity: number }[] = [];
  /** Facts as the athlete's device showed them, the newest last. */
  private readonly seen = new Map<string, Facts[]>();
  private readonly scans: { who: Person; client_id: string; op_id: string }[] = [];

  constructor(cast: Cast, { salt, commands }: Life) {
    this.cast = cast;
    this.salt = salt;
    this.model = new LivesModel(cast.rights);
    for (const command of commands) {
      this.pass(command.pause_s * 1000);
      this.follow('aim' in command ? this.aimed(command) : command);
    }
  }

  /** Points the command at an existing activity, by its number counted from the newest. */
  private aimed<Any extends { aim: number; athlete: number; activity: number }>(command: Any): Any {
    const target = this.known.at(-1 - command.aim);
    return command.aim < 0 || !target ? command : { ...command, ...target };
  }

  private pass(duration_ms: number): void {
    this.now = Math.min(this.now + duration_ms, LATEST_MOMENT);
  }

  private follow(command: Command): void {
    switch (command.kind) {
      case 'record':
        this.record(command as Of<'record'>);
        break;
      case 'finish':
        this.finish(command as Of<'finish'>);
        break;
      case 'visit':
        this.visit(command as Of<'visit'>);
        break;
      case 'scan':
        this.scan(command as Of<'scan'>);
        break;
      case 'edit':
        this.edit(command as Of<'edit'>);
        break;
      case 'reopen':
      case 'delete':
        this.send(this.athlete(command), { kind: command.kind, client_id: this.idOf(command), op_id: this.nextId() });
        break;
      case 'appeal':
        this.send(this.athlete(command), {
          kind: 'appeal',
          client_id: this.idOf(command),
          op_id: this.nextId(),
          appealed_at: iso(this.now - command.ago_s * 1000),
        });
        break;
      case 'copy':
        this.copy(command as Of<'copy'>);
        break;
      case 'withdraw':
        this.withdraw(command as Of<'withdraw'>);
        break;
      case 'again':
        this.repeat(command as Of<'again'>);
        break;
    }
  }

  private nextId(): string {
    this.ids += 1;
    return this.id(`op ${this.ids}`);
  }

  private id(name: string): string {
    const hex = createHash('sha256').update(`${this.salt} ${name}`).digest('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  }

  private idOf({ athlete, activity }: { athlete: number; activity: number }): string {
    return this.id(`activity ${athlete} ${activity}`);
  }

  private athlete({ athlete }: { athlete: number }): Person {
    return nthOf(this.cast.athletes, athlete);
  }

  private viewOf(command: { athlete: number; activity: number }): View | undefined {
    return this.model.view(this.athlete(command).id, this.idOf(command));
  }

  private send(who: Person, op: Op, at = this.now): void {
    const verdict = this.model.apply(who.id, op, at);
    const view = this.model.view(who.id, op.client_id);
    const known = this.seen.get(op.client_id) ?? [];
    if (view && JSON.stringify(known.at(-1)) !== JSON.stringify(view.own)) {
      this.seen.set(op.client_id, [...known, view.own]);
    }
    this.sent.push({ at, who, op, verdict, shown: view && showOf(this.model, who.id, op.client_id, view) });
  }

  private start(command: Named & Pick<Of<'record'>, 'center' | 'sport' | 'intensity'>, started: number, venue = {}) {
    const { center, wall } = this.cast;
    this.send(this.athlete(command), {
      kind: 'start',
      client_id: this.idOf(command),
      op_id: this.nextId(),
      sport_center_id: command.center === 0 ? center : wall,
      sport_type: command.sport,
      started_at: iso(started),
      ...(command.intensity ? { intensity: command.intensity } : {}),
      ...venue,
    });
    const { athlete, activity } = command;
    const is_known = this.known.some((one) => one.athlete === athlete && one.activity === activity);
    if (!is_known && this.viewOf(command)) this.known.push({ athlete, activity });
  }

  private end(command: Named & Pick<Of<'record'>, 'distance_m' | 'paused_s'>, ended: number, more = {}): void {
    this.send(this.athlete(command), {
      kind: 'finish',
      client_id: this.idOf(command),
      op_id: this.nextId(),
      ended_at: iso(ended),
      ...(command.distance_m === undefined ? {} : { distance_m: command.distance_m }),
      ...(command.paused_s === undefined ? {} : { paused_s: command.paused_s }),
      ...more,
    });
  }

  private record(command: Of<'record'>): void {
    const ended = this.now - command.ago_min * MINUTE_MS;
    // Most athletes enter no distance where none is measured.
    const enters = hasDistance(command.sport) || command.minutes === 9;
    const said = enters ? command : { ...command, distance_m: undefined };
    this.start(said, ended - command.minutes * MINUTE_MS);
    if (command.steps === 'both') this.end(said, ended);
    if (command.with_friend && command.athlete < 2) {
      this.record({ ...command, athlete: 1 - command.athlete, with_friend: false });
    }
  }

  private copy(command: Of<'copy'>): void {
    const own = this.viewOf(command)?.own;
    if (!own || own.ended === null) return;
    const who = this.athlete(command);
    const { athlete, activity } = command;
    const about = { client_id: this.idOf(command) };
    if (command.is_rejected) this.scan({ ...SCANNED_NOW, athlete, activity, decision: 'reject' });
    if (command.appeals) this.send(who, { kind: 'appeal', ...about, op_id: this.nextId(), appealed_at: iso(this.now) });
    if (command.deletes) this.send(who, { kind: 'delete', ...about, op_id: this.nextId() });
    const center = own.center === this.cast.center ? 0 : 1;
    const again = { athlete, activity: command.as };
    this.start({ ...again, center, sport: own.sport, intensity: undefined }, own.started);
    this.end({ ...again, distance_m: undefined, paused_s: undefined }, own.ended);
    this.scan({ ...SCANNED_NOW, ...again, scanner: command.scanner });
  }

  private finish(command: Of<'finish'>): void {
    const started = this.viewOf(command)?.own.started ?? this.now - 3_600_000;
    const said = command.intensity ? { intensity: command.intensity } : {};
    this.end({ ...command, distance_m: undefined }, started + command.minutes * MINUTE_MS, said);
  }

  private visit(command: Of<'visit'>): void {
    const said = { ...command, distance_m: hasDistance(command.sport) ? command.distance_m : undefined };
    const scanOf = (is_late: boolean) => ({
      venue_scan: { payload: this.venueCode(is_late), scanned_at: iso(this.now) },
    });
    this.start(said, this.now - 30_000, scanOf(command.venue === 'late_start'));
    this.pass(command.minutes * MINUTE_MS);
    this.end(said, this.now + 60_000, command.venue === 'only_start' ? {} : scanOf(command.venue === 'late_end'));
  }

  private venueCode(is_late: boolean): string {
    const { center: id, kiosk } = this.cast;
    const at = is_late ? this.now - 60_000 : this.now;
    const center = { id, name: '', city: null, time_zone: 'Europe/Madrid', sports: [] };
    const payload = venueCodeAt({ center, keys: kiosk.keys }, at);
    this.model.venue_codes.set(payload, { center: id, step: Math.floor(at / 15_000) });
    return payload;
  }

  private scan(command: Of<'scan'>): void {
    const { athletes, referees } = this.cast;
    const athlete = this.athlete(command);
    const client_id = this.idOf(command);
    const facts = this.factsToShow(command);
    const scanned = Math.max(this.now - command.ago_s * 1000, Math.min(facts.ended, this.now));
    const step = Math.floor(scanned / 30_000) + command.step;
    const { payload } = signCode(codeOf(athlete, client_id, facts, step), athlete.key);
    this.model.codes.set(payload, { athlete: athlete.id, facts, step });
    const who = nthOf([...referees, ...athletes], command.scanner);
    const op_id = this.nextId();
    this.scans.push({ who, client_id, op_id });
    this.send(who, {
      kind: 'scan',
      client_id,
      op_id,
      payload,
      decision: command.decision,
      scanned_at: iso(scanned - command.offset_ms),
      clock: { offset_ms: command.offset_ms, age_ms: 1000 },
      ...(command.offline ? { recorded_offline: true } : {}),
      ...adjustmentOf(command, facts),
    });
  }

  /** The facts that the device shows; if it has sent none yet, facts that it may send later. */
  private factsToShow(command: Of<'scan'>): Facts & { ended: number } {
    const known = (this.seen.get(this.idOf(command)) ?? []).flatMap((facts) =>
      facts.ended === null ? [] : [{ ...facts, ended: facts.ended, confirmed: false }],
    );
    const shown = (command.stale ? known.at(-2) : undefined) ?? known.at(-1);
    if (shown) return shown;
    const ended = this.now - Math.min(command.ago_s, 600) * 1000 - MINUTE_MS;
    const more = { paused: 0, intensity: null, confirmed: false, distance: null };
    return { center: this.cast.center, sport: 'climbing', started: ended - 50 * MINUTE_MS, ended, ...more };
  }

  private edit(command: Of<'edit'>): void {
    const change = changeOf(command, this.viewOf(command)?.own, this.cast, this.now);
    const edited_at = iso(this.now - command.ago_s * 1000);
    const step = { kind: 'edit', client_id: this.idOf(command), op_id: this.nextId(), edited_at } as const;
    this.send(this.athlete(command), { ...step, ...change });
  }

  private withdraw({ which, by_other }: Of<'withdraw'>): void {
    const scan = this.scans.at(-1 - which);
    if (!scan) return;
    const who = by_other ? nthOf(this.cast.referees, 1) : scan.who;
    const { client_id, op_id: scan_op_id } = scan;
    this.send(who, { kind: 'withdraw', client_id, op_id: this.nextId(), scan_op_id });
  }

  /** Sends the same op again, as after a lost answer; `changed`: another op under the same id. */
  private repeat({ which, changed }: Of<'again'>): void {
    const sent = this.sent.at(-1 - which);
    if (!sent) return;
    const { op } = sent;
    if (!changed) this.send(sent.who, op);
    else if (op.kind === 'scan') {
      this.send(sent.who, { ...op, decision: op.decision === 'confirm' ? 'reject' : 'confirm' });
    }
  }
}
