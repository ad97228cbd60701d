import {
  areCodesLinked,
  isTooShortToScore,
  type KioskVisit,
  MAX_SCANNER_CONFIRMATIONS,
  type PeerProof,
  peerProofAllowedFrom,
  type VenueCodes,
  venueLimitOf,
} from '@sendlap/domain/proof/fair-proof.ts';
import { ACTIVITY_TIME_STEP_MS, timeStepAt, VENUE_TIME_STEP_MS } from '@sendlap/domain/qr-code.ts';
import { checkActivityScan } from '@sendlap/domain/scan-checks.ts';
import { activitiesOfVisit, type Club, type ClubKind, daysOfGroup, type Member, makeClub } from './honest-club.ts';
import { ReviewModel } from './review-model.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.parse('2026-03-19T00:00:00Z');
/** As long as a review looks back. */
const WEEKS_A_CLUB = 13;

/** What happened to honest activities. */
export interface Tally {
  weeks: number;
  activities: number;
  /** Confirmed by referees and friends: only these can be refused here, as no limit of kiosks refuses. */
  scans: number;
  refused: number;
  /** Proofs that the friend had to repeat later. */
  repeated: number;
  /** Proven, but on public boards only after a referee's scan too. */
  friends_only: number;
  /** Reviews that an operator sees in 13 weeks. */
  flags: number;
}

/** How the limits of kiosks judge. */
export type VenueRule = (visit: KioskVisit) => 'friends_only' | 'public';

const RULE_OF_THE_APP: VenueRule = (visit) => (venueLimitOf(visit) === null ? 'public' : 'friends_only');
/** Before decision 059, each account with two codes counted. */
export const EACH_ACCOUNT_COUNTS: VenueRule = () => 'public';
/** Corrected clocks of phones differ so much from the true time. */
const CLOCK_ERROR_MS = 10_000;
/** From the scan of a kiosk's code until the server has it. */
const MAX_SEND_MS = 14_000;

interface Circumstances {
  rule?: VenueRule;
  clock_error_ms?: number;
}

/** One honest activity with the scan that proves it, to be repeated on a server. Times in ms epoch. */
export interface PlannedProof {
  member: Member;
  started: number;
  ended: number;
  method: 'venue' | 'peer' | 'referee';
  /** Who scans: a member's or a referee's number; of a kiosk null. */
  scanner: number | null;
  scanned: number;
  /** Without a network: when the athlete's and the scanner's phones send; else null. */
  arrives: { activity: number; scan: number } | null;
  /** How long after the scans of the kiosk's codes the server has them. */
  late_ms: Lateness;
  clock_ms: number;
  expected: 'venue' | 'peer' | 'referee';
}

interface Lateness {
  start: number;
  end: number;
}

/** Lives honest weeks of clubs by the rules of `domain`. */
export function liveHonestly(weeks: number, seed: number, under: Circumstances = {}): Map<ClubKind, Tally> {
  const random = randomBy(seed);
  const tallies = new Map<ClubKind, Tally>();
  for (let id = 0; id * WEEKS_A_CLUB < weeks; id += 1) {
    const club = makeClub(id, random);
    const tally = tallies.get(club.kind) ?? newTally();
    const count = Math.min(WEEKS_A_CLUB, weeks - id * WEEKS_A_CLUB);
    tallies.set(club.kind, tally);
    new ClubLife(club, random, tally, under).live(count);
  }
  return tallies;
}

const newTally = (): Tally => ({
  weeks: 0,
  activities: 0,
  scans: 0,
  refused: 0,
  repeated: 0,
  friends_only: 0,
  flags: 0,
});

/** Lives weeks of a club. Returns its proofs in the order of the scans, all of which count, and the reviews of them. */
export function planWeeks(club: Club, weeks: number, seed: number): { proofs: PlannedProof[]; reviews: string[] } {
  const proofs: PlannedProof[] = [];
  const life = new ClubLife(club, randomBy(seed), newTally(), {}, proofs);
  life.live(weeks);
  return { proofs, reviews: life.reviews.list() };
}

/** The same numbers for the same seed (mulberry32). */
export function randomBy(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One club, week after week. */
class ClubLife {
  readonly reviews = new ReviewModel();
  private readonly codes = new Map<string, number>();
  private readonly sends = new Map<string, number>();
  private readonly visits: (VenueCodes & { installation: number; member: number; started: number; ended: number })[] =
    [];
  private readonly peer_proofs = new Map<string, PeerProof[]>();
  private readonly confirmed = new Map<string, number>();
  private readonly club: Club;
  private readonly random: () => number;
  private readonly tally: Tally;
  /** Of the networks: on its own, so that clubs live alike whatever they are like. */
  private readonly delays: () => number;
  private readonly rule: VenueRule;
  private readonly clock_error_ms: number;
  private readonly planned: PlannedProof[] | undefined;

  constructor(club: Club, random: () => number, tally: Tally, under: Circumstances, planned?: PlannedProof[]) {
    this.club = club;
    this.random = random;
    this.tally = tally;
    this.delays = randomBy(club.id);
    this.rule = under.rule ?? RULE_OF_THE_APP;
    this.clock_error_ms = under.clock_error_ms ?? CLOCK_ERROR_MS;
    this.planned = planned;
  }

  live(weeks: number): void {
    const groups = Map.groupBy(this.club.members, ({ group }) => group);
    for (let week = 0; week < weeks; week += 1) {
      this.tally.weeks += 1;
      const outings = [...groups.values()].flatMap((members) =>
        daysOfGroup(this.random).map((day) => ({ members, day: week * 7 + day })),
      );
      for (const { members, day } of outings.sort((a, b) => a.day - b.day)) this.visit(members, day);
    }
    this.tally.flags += this.reviews.list().length;
  }

  /** The group comes, trains and goes together, each within the time that it takes to unlock a phone and scan. */
  private visit(members: Member[], day: number): void {
    let started = FIRST_DAY + day * DAY_MS + (7 + this.random() * 13) * 60 * MINUTE_MS;
    for (let nth = activitiesOfVisit(this.random); nth > 0; nth -= 1) {
      const ended = started + (20 + this.random() * 110) * MINUTE_MS;
      const queue_ms = Math.max(40_000, members.length * 6000);
      const each = members.map((member) => {
        const at = () => Math.floor(this.random() * queue_ms);
        const sendMs = () => Math.floor(this.delays() * MAX_SEND_MS);
        const late_ms = { start: sendMs(), end: sendMs() };
        return { member, started: started + at(), ended: ended + at(), late_ms };
      });
      for (const one of each.sort((a, b) => a.ended + a.late_ms.end - b.ended - b.late_ms.end))
        this.prove(one, members, day);
      started = ended + 10 * MINUTE_MS;
    }
  }

  private prove(one: Proven, members: Member[], day: number): void {
    this.tally.activities += 1;
    const { kind } = this.club;
    const offline = kind.includes('offline');
    if (kind.startsWith('two friends')) this.proveByFriend(one, members, day, offline);
    else if (kind.includes('at a kiosk') || kind.includes('one kiosk')) this.proveByKiosk(one);
    else if (kind.startsWith('a club') && this.random() < 0.5) this.proveByKiosk(one);
    else this.proveByReferee(one, day, offline);
  }

  private proveByKiosk(one: Proven): void {
    const { member, started, ended } = one;
    const start_step = timeStepAt(started, VENUE_TIME_STEP_MS);
    const end_step = timeStepAt(ended, VENUE_TIME_STEP_MS);
    const codes = { start: String(start_step), end: String(end_step) };
    const key = `${start_step} ${end_step}`;
    const first = this.codes.get(key);
    // Only today's visits can overlap, and as no visit here lasts into the next day, only these link codes.
    while (this.visits[0] && this.visits[0].ended < ended - DAY_MS) this.visits.shift();
    const shares_codes = !isTooShortToScore(start_step, end_step) && areCodesLinked(codes, this.visits);
    const shares_installation = this.visits.some(
      (other) =>
        other.installation === member.installation &&
        other.member !== member.id &&
        other.started < ended &&
        other.ended > started,
    );
    const verdict = this.rule({ shares_codes, shares_installation });
    if (verdict === 'friends_only') this.tally.friends_only += 1;
    this.plan(one, { method: 'venue', scanned: ended, expected: verdict === 'public' ? 'venue' : 'peer' });
    const used = verdict === 'friends_only' && first !== undefined ? athleteName(first) : null;
    this.reviews.noteKioskVisit(athleteName(member.id), used);
    if (first === undefined && verdict === 'public') this.codes.set(key, member.id);
    this.visits.push({ ...codes, installation: member.installation, member: member.id, started, ended });
  }

  /** The referee's work of a day is shared evenly; a scan takes some minutes after the end. */
  private proveByReferee(one: Proven, day: number, offline: boolean): void {
    const { member, ended } = one;
    const referee = member.id % this.club.referees;
    const key = `${referee} ${day}`;
    const confirmed = this.confirmed.get(key) ?? 0;
    this.confirmed.set(key, confirmed + 1);
    const is_full = confirmed >= MAX_SCANNER_CONFIRMATIONS;
    const scanned = ended + this.random() * 30 * MINUTE_MS;
    const scan = { method: 'referee', scanned, scanner: referee, expected: 'referee' } as const;
    const [athlete, by] = [athleteName(member.id), refereeName(referee)];
    this.reviews.noteConfirmation(by, athlete);
    const arrives = offline ? this.arrivalOf(`${athlete} ${day}`, `${by} ${day}`, day) : null;
    if (is_full || !this.isInTime(one, { ...scan, arrives })) this.tally.refused += 1;
  }

  /** Each confirms the other as soon as both have finished. */
  private proveByFriend(one: Proven, members: Member[], day: number, offline: boolean): void {
    const { member, started, ended } = one;
    const friend = members.find(({ id }) => id !== member.id) as Member;
    const [athlete, by] = [athleteName(member.id), athleteName(friend.id)];
    this.reviews.noteConfirmation(by, athlete);
    const scanned = ended + (1 + this.random()) * MINUTE_MS;
    const key = `${by} ${athlete}`;
    const proofs = this.peer_proofs.get(key) ?? [];
    const proof = { scanned_at_ms: scanned, duration_ms: ended - started };
    const allowed_from_ms = peerProofAllowedFrom(proof, proofs);
    const at = allowed_from_ms ?? scanned;
    if (allowed_from_ms !== null) this.tally.repeated += 1;
    const scan = { method: 'peer', scanned: at, scanner: friend.id, expected: 'peer' } as const;
    const arrives = offline ? this.arrivalOf(`${athlete} ${day}`, `${by} ${day}`, day) : null;
    if (!this.isInTime(one, { ...scan, arrives })) this.tally.refused += 1;
    this.peer_proofs.set(key, [...proofs.slice(-4), { ...proof, scanned_at_ms: at }]);
  }

  /** A phone without network sends a day's work in one go, in the order in which it was saved, up to 12 days later. */
  private arrivalOf(athlete: string, scanner: string, day: number): { activity: number; scan: number } {
    const sendAt = (phone: string) => {
      const at = this.sends.get(phone) ?? FIRST_DAY + (day + 1.25 + this.random() * 12) * DAY_MS;
      this.sends.set(phone, at);
      return at;
    };
    return { activity: sendAt(athlete), scan: sendAt(scanner) + 1000 };
  }

  /** Phones' corrected clocks differ by seconds. */
  private isInTime(proven: Proven, scan: Scan): boolean {
    const { started, ended } = proven;
    const { scanned, arrives = null } = scan;
    this.tally.scans += 1;
    const clock_ms = (2 * this.random() - 1) * this.clock_error_ms;
    this.plan(proven, { ...scan, clock_ms });
    const refusal = checkActivityScan({
      code_time_step: timeStepAt(scanned + clock_ms, ACTIVITY_TIME_STEP_MS),
      scanned_at_ms: scanned,
      recorded_offline: arrives !== null,
      started_at_ms: started,
      ended_at_ms: ended,
      now_ms: arrives?.scan ?? scanned + 1000,
      last_accepted_time_step: null,
    });
    return refusal === null;
  }

  private plan(proven: Proven, scan: Scan): void {
    this.planned?.push({ scanner: null, arrives: null, clock_ms: 0, ...proven, ...scan });
  }
}

export const athleteName = (id: number) => `athlete ${id}`;
export const refereeName = (id: number) => `referee ${id}`;

interface Proven {
  member: Member;
  started: number;
  ended: number;
  late_ms: Lateness;
}

type Scan = Pick<PlannedProof, 'method' | 'scanned' | 'expected'> & Partial<PlannedProof>;
