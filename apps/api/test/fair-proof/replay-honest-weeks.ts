import { randomUUID } from 'node:crypto';
import { ACTIVITY_TIME_STEP_MS, timeStepAt } from '@sendlap/domain/qr-code.ts';
import { listFlags } from '#api/modules/activities/points/flags.ts';
import { DAY_MS, iso, type PlannedActivity, resultOf, Stage } from '../attacks/attack.ts';
import { addPhone, type ClockedWorld, FIRST_MOMENT, type Person } from '../scenes/clocked-world.ts';
import { CLUB_KINDS, type Club, makeClub } from './honest-club.ts';
import { athleteName, type PlannedProof, planWeeks, randomBy, refereeName } from './honest-weeks.ts';
import { nameReview } from './review-model.ts';
import { visitKioskOffline } from './visit-kiosk-offline.ts';

export interface ReplayedWeeks {
  weeks: number;
  activities: number;
  /** Proven by kiosks, whose codes came up to 14 s late. */
  kiosk_visits: number;
  /** Activities of which the server refused an op, or that nothing has confirmed. */
  refused: number;
  /** Kiosk visits without a network. */
  offline_visits: number;
  /** Reviews that the server shows an operator. */
  reviews: number;
  /** Activities and reviews that the server judged otherwise than the rules alone, with both results. */
  differences: string[];
}

/** So many confirmations that a friend who knows one athlete only is a review. */
const WEEKS_OF_FRIENDS = 4;

/** Replays a simulated week or more of honest clubs against a real server, one of each kind of club in turn. */
export async function replayOnServer(
  world: ClockedWorld,
  { clubs, seed, max_members }: { clubs: number; seed: number; max_members: number },
): Promise<ReplayedWeeks> {
  const counts = { weeks: 0, activities: 0, kiosk_visits: 0, refused: 0, offline_visits: 0, reviews: 0 };
  const result: ReplayedWeeks = { ...counts, differences: [] };
  for (let id = 0; id < clubs; id += 1) {
    const club = makeClub(id, randomBy(seed + id));
    const small = { ...club, members: club.members.slice(0, max_members) };
    const count = club.kind.startsWith('two friends') ? WEEKS_OF_FRIENDS : 1;
    const { proofs, reviews } = planWeeks(small, count, seed + id);
    const replay = await WeeksReplay.open(world, small);
    if (club.kind.includes('kiosk')) result.offline_visits += await replay.visitOffline();
    await replay.run(proofs);
    result.refused += replay.refused.size;
    result.kiosk_visits += proofs.filter(({ method }) => method === 'venue').length;
    result.reviews += await replay.compareReviews(reviews);
    result.differences.push(...replay.differences.map((one) => `${CLUB_KINDS[id % CLUB_KINDS.length]}: ${one}`));
    result.activities += proofs.length;
    result.weeks += count;
  }
  return result;
}

interface Moment {
  at: number;
  act: () => Promise<unknown>;
}

class WeeksReplay {
  readonly differences: string[] = [];
  /** Activities (client_id). */
  readonly refused = new Set<string>();
  private readonly stage: Stage;
  private readonly members: Person[];
  private readonly referees: Person[];

  private constructor(stage: Stage, members: Person[], referees: Person[]) {
    this.stage = stage;
    this.members = members;
    this.referees = referees;
  }

  /** Makes the club's people, their phones, friendships and rights, and pairs a kiosk. */
  static async open(world: ClockedWorld, { kind, members, referees }: Club): Promise<WeeksReplay> {
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
    return new WeeksReplay(stage, people, staff);
  }

  /** Returns how many. */
  async visitOffline(): Promise<number> {
    const visits = await visitKioskOffline(this.stage);
    for (const { expected, found } of visits)
      if (found !== expected) this.differences.push(`a kiosk visit without a network: ${found}, expected ${expected}`);
    return visits.length;
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
      if (this.refused.has(activity.client_id)) continue;
      const { status, validation, proof_note } = await this.stage.look(activity, this.members[member.id]);
      if (validation === 'none') this.refused.add(activity.client_id);
      if (validation !== expected) this.differences.push(`${status} ${validation} ${proof_note}, expected ${expected}`);
    }
  }

  /** Compares the reviews of these people with those that the rules alone expect. Returns how many there are. */
  async compareReviews(expected: string[]): Promise<number> {
    const names = new Map<string | undefined, string>([
      ...this.members.map(({ public_id }, id) => [public_id, athleteName(id)] as const),
      ...this.referees.map(({ public_id }, id) => [public_id, refereeName(id)] as const),
    ]);
    const flags = await listFlags(this.stage.world.api.database, new Date(this.stage.now));
    const reviews = flags
      .filter(({ scanner, athlete }) => names.has(scanner) || names.has(athlete))
      .map(({ kind, scanner, athlete }) => nameReview(kind, `${names.get(scanner)}`, `${names.get(athlete)}`))
      .sort();
    if (reviews.join() !== expected.join())
      this.differences.push(`reviews ${reviews.join(', ') || '–'}, expected ${expected.join(', ') || '–'}`);
    return reviews.length;
  }

  private activityOf({ started, ended }: PlannedProof): PlannedActivity {
    const seconds = (at: number) => Math.floor(at / 1000) * 1000;
    const times = { started: seconds(started), ended: seconds(ended) };
    return { client_id: randomUUID(), center: this.stage.world.center, sport: 'climbing', ...times };
  }

  /**
   * When each request reaches the server. A kiosk's code is on its way for some seconds. Without a network, ops and scan
   * arrive when their own phones send.
   */
  private momentsOf(proof: PlannedProof & { activity: PlannedActivity }): Moment[] {
    const { activity, method, started, ended, scanned, arrives, late_ms } = proof;
    const who = this.members[proof.member.id] as Person;
    const send = (act: () => ReturnType<Stage['start']>) => async () => this.expectAccepted(await act(), activity);
    if (method === 'venue') {
      const codeAt = (at: number) => ({ venue_scan: { payload: this.stage.venueCode(at), scanned_at: iso(at) } });
      return [
        { at: started + late_ms.start, act: send(() => this.stage.start(activity, codeAt(started), who)) },
        { at: ended + late_ms.end, act: send(() => this.stage.finish(activity, codeAt(ended), who)) },
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
    this.expectAccepted(await this.stage.scan(payload, { scanned_at: iso(scanned), recorded_offline }, by), activity);
  }

  private expectAccepted(reply: Parameters<typeof resultOf>[0], { client_id }: PlannedActivity): void {
    const result = resultOf(reply);
    if (result === 'accepted' || result === 'waiting') return;
    this.differences.push(`refused: ${result}`);
    this.refused.add(client_id);
  }
}
