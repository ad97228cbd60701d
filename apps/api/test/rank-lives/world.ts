import { randomUUID } from 'node:crypto';
import { addDays, isoWeekKey, isoWeekRange, localDate } from '@sendlap/domain/dates.ts';
import { SPORTS, type Sport } from '@sendlap/domain/sports.ts';
import { ALL_CENTERS, type Board } from '#api/modules/leaderboards/ranks/boards.ts';
import type { Competitor, CountedActivity } from '../scenes/board-model.ts';

const DAY_MS = 86_400_000;

/** From before both autumn clock changes to after both spring ones, across week 53 of 2026 and two quarters. */
export const FIRST_DAY = Date.parse('2026-10-19T00:00:00Z');
export const LAST_DAY = Date.parse('2027-04-05T00:00:00Z');

const ZONES = ['Europe/Madrid', 'America/Los_Angeles', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kathmandu'];
const CENTERS = 8;
/** Few different values: many share a rank, and five of six are often equal. */
const POINTS = [0, 100, 100, 331, 355, 355, 458, 527];
const VALIDATIONS = ['peer', 'venue', 'referee', 'referee'] as const;
/** For late proofs and edits. */
const LATE_DAYS = 16;

export interface Athlete extends Omit<Competitor, 'friend_ids'> {
  friend_ids: Set<string>;
  /** Validated activities, whether their week is final or not. */
  live: (CountedActivity & { id: string })[];
  /** The activities that boards must count: as `live`, but final weeks are as they were when they ended. */
  on_boards: Map<string, CountedActivity[]>;
}

export interface Center {
  id: string;
  time_zone: string;
}

/** A planned change of one athlete. `weeks`: those whose activities change. */
export type Change = { athlete: Athlete; at_ms: number } & (
  | { kind: 'weeks'; weeks: string[] }
  | { kind: 'visibility'; boards?: boolean; age?: number | null; is_locked?: boolean }
);

/** Returns the next number below a bound, from a seeded sequence. */
export type Random = (below: number) => number;

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    // xorshift32
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

export function makeCenters(): Center[] {
  return Array.from({ length: CENTERS }, (_, nth) => ({
    id: randomUUID(),
    time_zone: ZONES[nth % ZONES.length] ?? 'UTC',
  }));
}

export function makeAthletes(count: number, random: Random): Athlete[] {
  const athletes = Array.from({ length: count }, () => ({
    user_id: randomUUID(),
    boards: true,
    age: null,
    is_locked: false,
    friend_ids: new Set<string>(),
    live: [],
    on_boards: new Map(),
  }));
  for (const one of athletes) {
    const other = athletes[random(count)];
    if (!other || other === one) continue;
    one.friend_ids.add(other.user_id);
    other.friend_ids.add(one.user_id);
  }
  return athletes;
}

/** The product's rule, rewritten: 15 days after the week ended in the last zone on earth, 12 h behind UTC. */
function isClosed(week_key: string, at_ms: number): boolean {
  return at_ms >= Date.parse(`${isoWeekRange(week_key).ends_on}T00:00:00Z`) + DAY_MS + 15.5 * DAY_MS;
}

/** Changes the athlete at random, as of that time; their activities already have the new state. */
export function happen(athlete: Athlete, at_ms: number, centers: Center[], random: Random): Change {
  const what = random(100);
  if (what < 5) return changeVisibility(athlete, at_ms, random);
  const index = random(athlete.live.length);
  const before = athlete.live[index];
  const weeks = new Set<string>();
  if (before && what < 40) {
    // A withdrawal, a rejection or a deletion; or an edit followed by a new proof.
    athlete.live.splice(index, 1);
    weeks.add(before.week_key);
  }
  if (!before || what >= 20) {
    const after = activityAt(athlete.user_id, at_ms, centers, random);
    athlete.live.push(after);
    weeks.add(after.week_key);
  }
  for (const week of weeks) {
    if (isClosed(week, at_ms)) continue;
    const counted = athlete.live.filter(({ week_key }) => week_key === week);
    athlete.on_boards.set(week, counted);
  }
  return { kind: 'weeks', athlete, at_ms, weeks: [...weeks] };
}

function activityAt(user_id: string, at_ms: number, centers: Center[], random: Random) {
  const center = centers[random(centers.length)] ?? { id: '', time_zone: 'UTC' };
  const started_ms = at_ms - random(LATE_DAYS * 24 * 60) * 60_000;
  return {
    id: randomUUID(),
    user_id,
    week_key: isoWeekKey(localDate(started_ms, center.time_zone)),
    sport_type: SPORTS[random(SPORTS.length)] ?? 'climbing',
    sport_center_id: center.id,
    validation: VALIDATIONS[random(VALIDATIONS.length)] ?? 'referee',
    points: POINTS[random(POINTS.length)] ?? 0,
    // Many share a minute, so that the id decides.
    validated_at_ms: Math.floor(at_ms / 3_600_000) * 3_600_000 + random(5) * 60_000,
  };
}

function changeVisibility(athlete: Athlete, at_ms: number, random: Random): Change {
  const change = { kind: 'visibility' as const, athlete, at_ms };
  switch (random(3)) {
    case 0:
      athlete.boards = !athlete.boards;
      return { ...change, boards: athlete.boards };
    case 1:
      athlete.age = [null, 12, 15, 16, 40][random(5)] ?? null;
      return { ...change, age: athlete.age };
    default:
      athlete.is_locked = !athlete.is_locked;
      return { ...change, is_locked: athlete.is_locked };
  }
}

/** Returns all boards that can exist until that time. */
export function boardsUntil(at_ms: number, centers: Center[]): Board[] {
  const periods = new Set(['all']);
  for (let day = addDays(new Date(FIRST_DAY).toISOString().slice(0, 10), -LATE_DAYS - 7); ; day = addDays(day, 7)) {
    if (Date.parse(day) > at_ms + 7 * DAY_MS) break;
    const week = isoWeekKey(day);
    periods.add(week).add(quarterOf(week));
  }
  return [...periods].flatMap((period) =>
    (['all', ...SPORTS] as ('all' | Sport)[]).flatMap((sport) =>
      [ALL_CENTERS, ...centers.map(({ id }) => id)].map((sport_center_id) => ({ period, sport, sport_center_id })),
    ),
  );
}

/** The quarter of the week's Thursday. */
function quarterOf(week_key: string): string {
  const thursday = addDays(isoWeekRange(week_key).starts_on, 3);
  return `${thursday.slice(0, 4)}-Q${Math.ceil(Number(thursday.slice(5, 7)) / 3)}`;
}
