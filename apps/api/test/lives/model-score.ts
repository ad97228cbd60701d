/**
 * The rule of the score as the product states it (section 2), written again without the code under test: points of an
 * athlete's proven activities, and what they give on the boards.
 */
export interface Proven {
  id: string;
  center: string;
  sport: 'climbing' | 'swimming';
  started: number;
  ended: number;
  intensity: 'easy' | 'moderate' | 'hard' | null;
  /** A referee stands for the intensity. */
  confirmed: boolean;
  distance: number | null;
  method: 'peer' | 'venue' | 'referee';
  scanned: number;
}

const MOVING = {
  climbing: { easy: 5.8, moderate: 7.3, hard: 8.8, share: 0.3, rest: 2.5 },
  swimming: { easy: 5.8, moderate: 8.3, hard: 9.8, share: 0.85, rest: 2 },
};
const PACES = [
  [30, 5.8],
  [45.7, 8.3],
  [68.6, 10],
] as const;
/** Binary fractions of decimal ones, pushed over the half that they mean. */
const halfUp = (value: number) => Math.floor(value + 0.5 + 1e-9);
const minutesOf = ({ started, ended }: Proven) => Math.floor((ended - started) / 60_000);

/** METs while moving, in thousandths. */
function moving(one: Proven): number {
  const minutes = minutesOf(one);
  if (one.sport === 'swimming' && one.distance && minutes > 0) {
    const pace = Math.min(68.6, Math.max(30, one.distance / minutes));
    const [low, middle, high] = PACES;
    const [from, to] = pace <= 45.7 ? [low, middle] : [middle, high];
    return halfUp(1000 * (from[1] + ((pace - from[0]) * (to[1] - from[1])) / (to[0] - from[0])));
  }
  const said = one.intensity ?? 'moderate';
  return halfUp(1000 * MOVING[one.sport][said === 'hard' && !one.confirmed ? 'moderate' : said]);
}

function pointsFor(one: Proven, minutes: number): number {
  const { share, rest } = MOVING[one.sport];
  return halfUp((halfUp(share * moving(one) + (1 - share) * 1000 * rest) * minutes) / 1000);
}

export const dayOf = (at: number) => new Date(at).toLocaleDateString('sv', { timeZone: 'Europe/Madrid' });

/** `2026-W12`: the week of the Thursday next to it. */
function weekOf(at: number): string {
  const date = new Date(`${dayOf(at)}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7));
  const year = date.getUTCFullYear();
  const week = 1 + Math.floor((date.getTime() - Date.UTC(year, 0, 1)) / (7 * 86_400_000));
  return `${year}-W${String(week).padStart(2, '0')}`;
}

/** Points of each, by id: 10 to 180 minutes of one, 240 of a day, first come by (start, id). */
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

/** The rows of `week_scores`, as sorted texts: the best five of the public proofs on each board. */
export function boardsOf(proven: Proven[], all_centers: string): string[] {
  const points = pointsOf(proven);
  const boards = new Map<string, { points: number; scanned: number }[]>();
  for (const one of proven) {
    const entry = { points: points.get(one.id) ?? 0, scanned: one.scanned };
    if (one.method === 'peer' || entry.points === 0) continue;
    for (const sport of ['all', one.sport]) {
      for (const center of [all_centers, one.center]) {
        const key = `${weekOf(one.started)} ${sport} ${center}`;
        boards.set(key, [...(boards.get(key) ?? []), entry]);
      }
    }
  }
  const lines = [...boards].map(([key, entries]) => {
    const best = entries.sort((a, b) => b.points - a.points || a.scanned - b.scanned).slice(0, 5);
    const reached = Math.max(...best.map(({ scanned }) => scanned));
    return `${key} ${best.reduce((sum, each) => sum + each.points, 0)} ${new Date(reached).toISOString()}`;
  });
  return lines.sort();
}
