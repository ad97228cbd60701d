import { randomUUID } from 'node:crypto';
import { listFlags } from '#api/modules/activities/points/flags.ts';
import { DAY_MS, iso, MINUTE_MS, type PlannedActivity, resultOf, Stage } from '../attacks/attack.ts';
import type { ClockedWorld, Person } from '../scenes/clocked-world.ts';
import type { Cost, Gain, PlayedCheat } from './cheat-outcome.ts';

/** A way to points without training, played by modified clients: each request is what a cheat would send. */
export interface Cheat {
  name: string;
  /** Worked once and was mended: must not gain again. */
  is_regression?: true;
  cost: Cost;
  /** Returns the accounts that should gain. */
  play(stage: CheatStage): Promise<Person[]>;
}

export class CheatStage {
  readonly stage: Stage;
  readonly refusals: string[] = [];

  constructor(stage: Stage) {
    this.stage = stage;
  }

  async people(count: number): Promise<Person[]> {
    const people: Person[] = [];
    for (let nth = 0; nth < count; nth += 1) people.push(await this.stage.world.makePerson(`Mallory ${nth}`));
    return people;
  }

  /** Signs the account in on an installation with this id. */
  async signInOn(installation_id: string, who: Person): Promise<void> {
    await this.stage.post(who, '/v1/devices', { installation_id, name: 'Phone' });
  }

  note(code: string): string {
    if (code !== 'accepted') this.refusals.push(code);
    return code;
  }

  async scan(payload: string, overrides: object = {}, who = this.stage.rex): Promise<string> {
    return this.note(await this.stage.scanned(payload, overrides, who));
  }

  code(planned: PlannedActivity, who: Person, overrides: Parameters<Stage['code']>[1] = {}): string {
    return this.stage.code(planned, overrides, who, who).payload;
  }

  /**
   * Each account makes one visit. They share `start_codes` codes, 15 s apart, at the start and `end_codes` at the finish,
   * so that the pairs of codes differ as far as possible.
   */
  async visit(
    accounts: Person[],
    options: { minutes?: number; start_codes?: number; end_codes?: number; at_once?: boolean } = {},
  ): Promise<PlannedActivity[]> {
    const { minutes = 60, start_codes = 1, end_codes = 1, at_once = false } = options;
    // 5 and 5 codes: five accounts use each code once, 25 accounts each pair of codes once.
    const visits = accounts.map((who, nth) => ({
      who,
      start: nth % start_codes,
      end: (nth + Math.floor(nth / start_codes)) % end_codes,
    }));
    const planned_activities = new Map<Person, PlannedActivity>();
    for (let code = 0; code < start_codes; code += 1) {
      for (const { who } of visits.filter(({ start }) => start === code)) {
        const planned = { ...this.stage.climb(), started: this.stage.now };
        await this.start(planned, who);
        planned_activities.set(who, planned);
      }
      if (start_codes > 1) this.stage.now += 15_000;
    }
    this.stage.now += minutes * MINUTE_MS;
    const finish = (who: Person) => this.finish(planned_activities.get(who) as PlannedActivity, who);
    for (let code = 0; code < end_codes; code += 1) {
      const finishing = visits.filter(({ end }) => end === code);
      if (at_once) await Promise.all(finishing.map(({ who }) => finish(who)));
      else for (const { who } of finishing) await finish(who);
      if (end_codes > 1) this.stage.now += 15_000;
    }
    return accounts.map((who) => planned_activities.get(who) as PlannedActivity);
  }

  async start(planned: PlannedActivity, who: Person, payload: string | null = this.stage.venueCode()): Promise<void> {
    this.note(resultOf(await this.stage.start(planned, this.venueScan(payload), who)));
  }

  async finish(
    planned: PlannedActivity,
    who: Person,
    payload: string | null = this.stage.venueCode(),
    more = {},
  ): Promise<void> {
    const ended = { ...planned, ended: this.stage.now };
    this.note(resultOf(await this.stage.finish(ended, { ...this.venueScan(payload), ...more }, who)));
  }

  /** Records a made-up climb, and shows its code to the scanner. */
  async invent(who: Person, scanner: Person, options: { minutes?: number; ago?: number } = {}): Promise<string> {
    const planned = await this.stage.record(this.stage.climb(options), who);
    return this.scan(this.code(planned, who), {}, scanner);
  }

  private venueScan(payload: string | null) {
    return payload === null ? {} : { venue_scan: { payload, scanned_at: iso(this.stage.now) } };
  }
}

/** Plays a cheat at a kiosk of its own, and reads what it gained as the cheats see it. */
export async function playCheat(world: ClockedWorld, { name, is_regression, cost, play }: Cheat): Promise<PlayedCheat> {
  const cheat = new CheatStage(await Stage.open(world, await world.pairKiosk(world.center)));
  const accounts = await play(cheat);
  const { now, rex, ada } = cheat.stage;
  const gain: Gain = { public: 0, friends: 0, shield: 0 };
  const notes: string[] = [];
  for (const who of accounts) {
    const own = await readGain(world, who, now);
    notes.push(...own.notes);
    for (const kind of ['public', 'friends', 'shield'] as const) gain[kind] += own.gain[kind];
  }
  const public_ids = new Set([...accounts, rex, ada].map(({ public_id }) => public_id));
  const flags = (await listFlags(world.api.database, new Date(now + DAY_MS))).filter(
    ({ scanner, athlete }) => public_ids.has(scanner) || (athlete !== undefined && public_ids.has(athlete)),
  );
  return {
    name,
    is_regression: is_regression === true,
    cost,
    accounts: accounts.length,
    ...gain,
    flags: [...new Set(flags.map(({ kind }) => kind))].sort(),
    refusals: [...new Set([...cheat.refusals, ...notes])].sort(),
  };
}

/**
 * An account that is on the public board without a proof by a kiosk or a referee got there by friends: those activities
 * count as public. Throws if an account with such a proof is not on the board.
 */
async function readGain(world: ClockedWorld, who: Person, now: number): Promise<{ gain: Gain; notes: string[] }> {
  const { data } = await world.call('GET', '/v1/activities?limit=100', who, now);
  const all = data.items as { validation: string; points: number; proof_note: string | null }[];
  const of = (...methods: string[]) => all.filter((one) => one.points > 0 && methods.includes(one.validation)).length;
  const gain = { public: of('venue', 'referee'), friends: of('peer'), shield: of('referee') };
  const board = await world.call('GET', '/v1/leaderboards?period=all', who, now);
  if (board.data.me !== null && gain.public === 0) gain.public = gain.friends;
  if (board.data.me === null && gain.public > 0) throw new Error(`${who.name}: the public board lacks a proof`);
  return { gain, notes: all.flatMap(({ proof_note }) => proof_note ?? []) };
}

export const newId = () => randomUUID();
