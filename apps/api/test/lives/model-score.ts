import type { Sport } from '@sendlap/domain/sports.ts';
/**
 * The scoring rules as the product states them (section 2), rewritten without the code under test: the points of an
 * athlete's proven activities, and their scores on the boards.
 */
export interface Proven {
  id: string;
  center: string;
  sport: Sport;
  started: number;
  ended: number;
  /** Seconds. */
  paused: number;
  intensity: 'easy' | 'moderate' | 'hard' | null;
  /** Whether a referee confirmed the intensity. */
  confirmed: boolean;
  distance: number | null;
  method: 'peer' | 'venue' | 'referee';
  scanned: number;
}

interface SportRules {
  easy: number;
  moderate: number;
  hard: number;
  rest: number;
  /** Share of the time spent moving. */
  share: number;
  /** m/min and MET of three paces; null: no distance is measured. */
  paces: readonly [slow: Pace, middle: Pace, fast: Pace] | null;
}
type Pace = readonly [pace: number, met: number];

const RULES: Record<Sport, SportRules> = {
  climbing: { easy: 5.8, moderate: 7.3, hard: 8.8, share: 0.3, rest: 2.5, paces: null },
  swimming: {
    ...{ easy: 5.8, moderate: 8.3, hard: 9.8, share: 0.85, rest: 2 },
    paces: [
      [30, 5.8],
      [45.7, 8.3],
      [68.6, 10],
    ],
  },
};
export const isMeasured = (sport: Sport) => RULES[sport].paces !== null;
/** Decimals are stored as binary fractions: the epsilon pushes a value meant to be a half over it. */
const halfUp = (value: number) => Math.floor(value + 0.5 + 1e-9);
const minutesOf = ({ started, ended, paused }: Proven) => Math.floor((ended - started - 1000 * paused) / 60_000);

/**
 * METs while moving, in thousandths. With a measured distance they are those of the pace that a referee confirmed,
 * otherwise those of easy.
 */
function moving(one: Proven): number {
  // The pace is that of the whole time.
  const minutes = minutesOf({ ...one, paused: 0 });
  const rules = RULES[one.sport];
  if (rules.paces) {
    if (one.method !== 'referee' || !one.distance || minutes === 0) return halfUp(1000 * rules.easy);
    const [slow, middle, fast] = rules.paces;
    const pace = Math.min(fast[0], Math.max(slow[0], one.distance / minutes));
    const [from, to] = pace <= middle[0] ? [slow, middle] : [middle, fast];
    return halfUp(1000 * (from[1] + ((pace - from[0]) * (to[1] - from[1])) / (to[0] - from[0])));
  }
  const said = one.intensity ?? 'moderate';
  return halfUp(1000 * rules[said === 'hard' && !one.confirmed ? 'moderate' : said]);
}

function pointsFor(one: Proven, minutes: number): number {
  const { share, rest } = RULES[one.sport];
  return halfUp((halfUp(share * moving(one) + (1 - share) * 1000 * rest) * minutes) / 1000);
}

export const dayOf = (at: number) => new Date(at).toLocaleDateString('sv', { timeZone: 'Europe/Madrid' });

/** Returns `2026-W12`: the week of the nearest Thursday. */
function weekOf(at: number): string {
  const date = new Date(`${dayOf(at)}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7));
  const year = date.getUTCFullYear();
  const week = 1 + Math.floor((date.getTime() - Date.UTC(year, 0, 1)) / (7 * 86_400_000));
  return `${year}-W${String(week).padStart(2, '0')}`;
}

/**
 * Returns the points of each activity by id: 10 to 180 minutes of one, 240 of a day, first come (start, id) first
 * served.
 */
export function pointsOf(proven: Proven[]): Map<string, number> {
  const points = new Map<string, number>();
  const left = new Map<string, number>();
  const ordered = [...proven].sort((a, b) => a.started - b.started || (a.id < b.id ? -1 : 1));
  for (const one of ordered) {
    const day = dayOf(one.started);
    const minutes = minutesOf(one) < 10 ? 0 : Math.min(180, minutesOf(one), left.get(day) ?? 240);
    left.set(day, (left.get(day) ?? 240) - minutes);
    points.set(one.id, pointsFor(one, minutes));
  }
  return points;
}

interface Reached {
  points: number;
  /** ms epoch; 0 without points. */
  at: number;
}

/** The best five; of equal ones those scanned earlier. The score is reached when the last of them was scanned. */
function bestFive(entries: (Proven & { points: number })[]): Reached {
  const best = [...entries].sort((a, b) => b.points - a.points || a.scanned - b.scanned).slice(0, 5);
  return sumOf(best.map(({ points, scanned }) => ({ points, at: scanned })));
}

function sumOf(parts: Reached[]): Reached {
  const sum = parts.reduce((all, { points }) => all + points, 0);
  return { points: sum, at: parts.reduce((latest, { at }) => Math.max(latest, at), 0) };
}

/** Returns `2026-Q1` for `2026-W12`: the quarter of the week's Thursday. */
function quarterOf(week: string): string {
  const [year = 0, nth = 0] = week.split('-W').map(Number);
  // The first Thursday of a year is in its first week.
  const first = new Date(Date.UTC(year, 0, 1));
  const thursday = new Date(Date.UTC(year, 0, 1 + ((11 - first.getUTCDay()) % 7) + (nth - 1) * 7));
  return `${year}-Q${Math.floor(thursday.getUTCMonth() / 3) + 1}`;
}

/**
 * Returns an athlete's scores on every board, as sorted texts: public proofs and, next to them, all proofs. A season
 * and all time are sums of weeks.
 */
export function boardsOf(proven: Proven[]): string[] {
  const points = pointsOf(proven);
  const scored = proven.map((one) => ({ ...one, points: points.get(one.id) ?? 0 })).filter((one) => one.points > 0);
  const longer = new Map<string, { shown: Reached[]; friends: Reached[] }>();
  const boards = ['all', ...Object.keys(RULES)].flatMap((sport) =>
    ['everywhere', ...new Set(scored.map(({ center }) => center))].map((center) => ({ sport, center })),
  );
  for (const { sport, center } of boards) {
    const here = scored.filter(
      (one) => (sport === 'all' || one.sport === sport) && (center === 'everywhere' || one.center === center),
    );
    for (const week of new Set(here.map(({ started }) => weekOf(started)))) {
      const entries = here.filter(({ started }) => weekOf(started) === week);
      const shown = bestFive(entries.filter(({ method }) => method !== 'peer'));
      const friends = bestFive(entries);
      for (const period of [week, quarterOf(week), 'all']) {
        const key = `${period} ${sport} ${center}`;
        const known = longer.get(key) ?? { shown: [], friends: [] };
        longer.set(key, { shown: [...known.shown, shown], friends: [...known.friends, friends] });
      }
    }
  }
  return [...longer].map(([key, { shown, friends }]) => `${key} ${textOf(shown)}, friends ${textOf(friends)}`).sort();
}

function textOf(parts: Reached[]): string {
  const { points, at } = sumOf(parts);
  return `${points} ${new Date(at).toISOString()}`;
}

/** Returns an athlete's weekly totals, as sorted texts: all proofs count, but nothing under ten minutes. */
export function weeksOf(proven: Proven[]): string[] {
  const points = pointsOf(proven);
  const long = proven.filter((one) => minutesOf(one) >= 10);
  const ordered = long.sort((a, b) => a.started - b.started || (a.id < b.id ? -1 : 1));
  return [...new Set(ordered.map(({ started }) => weekOf(started)))].sort().map((week) => {
    const here = ordered.filter(({ started }) => weekOf(started) === week);
    const inSport = (sport: Sport) => here.filter((one) => one.sport === sport);
    const [climbs, swims] = [inSport('climbing'), inSport('swimming')];
    const weekdays = [1, 2, 3, 4, 5, 6, 0].map((weekday) =>
      here.some(({ started }) => new Date(dayOf(started)).getUTCDay() === weekday) ? 'x' : '-',
    );
    return [
      week,
      here.reduce((sum, { id }) => sum + (points.get(id) ?? 0), 0),
      weekdays.join(''),
      climbs.length,
      swims.length,
      swims.reduce((sum, swim) => sum + Math.min(swim.distance ?? 0, 140 * minutesOf(swim)), 0),
      climbs.reduce((longest, one) => Math.max(longest, minutesOf(one)), 0),
      [...new Set(here.map(({ center }) => center))].sort().join(' '),
      here.map(({ method }) => method.charAt(0)).join(''),
    ].join(' | ');
  });
}
