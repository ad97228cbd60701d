import { randomUUID } from 'node:crypto';
import { ACTIVITY_TIME_STEP_MS, timeStepAt } from '@sendlap/domain/qr-code.ts';
import { DAY_MS, iso, type PlannedActivity, resultOf, Stage } from '../attacks/attack.ts';
import { addPhone, type ClockedWorld, FIRST_MOMENT, type Person } from '../scenes/clocked-world.ts';
import { CLUB_KINDS, type Club, makeClub } from './honest-club.ts';
import { type PlannedProof, planWeek, randomBy } from './honest-weeks.ts';

export interface ReplayedWeeks {
  weeks: number;
  activities: number;
  /** Activities that the server judged otherwise than the rules alone, with both results. */
  differences: string[];
}

/** Replays simulated weeks of honest clubs against a real server, one of each kind of club in turn. */
export async function replayOnServer(
  world: ClockedWorld,
  { weeks, seed, max_members }: { weeks: number; seed: number; max_members: number },
): Promise<ReplayedWeeks> {
  const result: ReplayedWeeks = { weeks: 0, activities: 0, differences: [] };
  for (let id = 0; result.weeks < weeks; id += 1) {
    const club = makeClub(id, randomBy(seed + id));
    const small = { ...club, members: club.members.slice(0, max_members) };
    const planned = planWeek(small, seed + id);
    const week = await WeekReplay.open(world, small);
    await week.run(planned);
    result.differences.push(...week.differences.map((one) => `${CLUB_KINDS[id % CLUB_KINDS.length]}: ${one}`));
    result.activities += planned.length;
    result.weeks += 1;
  }
  return result;
}

interface Moment {
  at: number;
  act: () => Promise<unknown>;
}

class WeekReplay {
  readonly differences: string[] = [];
  private readonly stage: Stage;
  private readonly members: Person[];
  private readonly referees: Person[];

  private constructor(stage: Stage, members: Person[], referees: Person[]) {
    this.stage = stage;
    this.members = members;
    this.referees = referees;
  }

  /** Makes the club's people, their phones, friendships and rights, and pairs a kiosk. */
  static async open(world: ClockedWorld, { kind, members, referees }: Club): Promise<WeekReplay> {
    const stage = await Stage.open(world, await world.pairKiosk(world.center, FIRST_MOMENT));
    const people: Person[] = [];
    const phones = new Map<number, string>();
    for (const { id, installation } of members) {
      const who = await world.makePerson(`Ada ${id}`);
      const phone = phones.get(installation) ?? randomUUID();
      phones.set(installation, phone);
      await world.call('POST', '/v1/devices', who, FIRST_MOMENT, { installation_id: phone, name: 'Phone' });
      people.push({ ...who, ...(await addPhone(world.call, who)) });
    }
    const staff: Person[] = [];
    for (let nth = 0; nth < referees; nth += 1) staff.push(await stage.referee());
    if (kind.startsWith('two friends')) await world.befriend(people[0] as Person, people[1] as Person);
    return new WeekReplay(stage, people, staff);
  }

  async run(planned: PlannedProof[]): Promise<void> {
    const proofs = planned.map((proof) => ({ ...proof, activity: this.activityOf(proof) }));
    const moments = proofs.flatMap((proof) => this.momentsOf(proof)).sort((a, b) => a.at - b.at);
    for (const { at, act } of moments) {
      this.stage.now = at;
      await act();
    }
    this.stage.now += DAY_MS;
    for (const { activity, member, expected } of proofs) {
      const { status, validation, proof_note } = await this.stage.look(activity, this.members[member.id]);
      if (validation !== expected) this.differences.push(`${status} ${validation} ${proof_note}, expected ${expected}`);
    }
  }

  private activityOf({ started, ended }: PlannedProof): PlannedActivity {
    const seconds = (at: number) => Math.floor(at / 1000) * 1000;
    const times = { started: seconds(started), ended: seconds(ended) };
    return { client_id: randomUUID(), center: this.stage.world.center, sport: 'climbing', ...times };
  }

  /** When each request reaches the server. Without network the ops and the scan arrive later, each when its own phone sends. */
  private momentsOf(proof: PlannedProof & { activity: PlannedActivity }): Moment[] {
    const { activity, method, started, ended, scanned, arrives } = proof;
    const who = this.members[proof.member.id] as Person;
    const send = (act: () => ReturnType<Stage['start']>) => async () => this.expectAccepted(await act());
    if (method === 'venue') {
      const code = () => ({ venue_scan: { payload: this.stage.venueCode(), scanned_at: iso(this.stage.now) } });
      return [
        { at: started, act: send(() => this.stage.start(activity, code(), who)) },
        { at: ended, act: send(() => this.stage.finish({ ...activity, ended: this.stage.now }, code(), who)) },
      ];
    }
    return [
      { at: arrives?.activity ?? started, act: send(() => this.stage.start(activity, {}, who)) },
      { at: arrives?.activity ?? ended, act: send(() => this.stage.finish(activity, {}, who)) },
      { at: arrives?.scan ?? scanned, act: () => this.scan(proof, who, arrives !== null) },
    ];
  }

  private async scan(
    proof: PlannedProof & { activity: PlannedActivity },
    who: Person,
    recorded_offline: boolean,
  ): Promise<void> {
    const { activity, method, scanner, scanned, clock_ms } = proof;
    const by = method === 'peer' ? this.members[scanner ?? 0] : this.referees[scanner ?? 0];
    const step = timeStepAt(scanned + clock_ms, ACTIVITY_TIME_STEP_MS);
    const { payload } = this.stage.code(activity, { step }, who, who);
    this.expectAccepted(await this.stage.scan(payload, { scanned_at: iso(scanned), recorded_offline }, by));
  }

  private expectAccepted(reply: Parameters<typeof resultOf>[0]): void {
    const result = resultOf(reply);
    if (result !== 'accepted' && result !== 'waiting') this.differences.push(`refused: ${result}`);
  }
}
