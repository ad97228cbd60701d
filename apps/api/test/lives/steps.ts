import { hasDistance, SPORTS } from '@sendlap/domain/sports.ts';
import type { Person } from '../scenes/clocked-world.ts';
import type { Facts, View } from './activity-view.ts';
import type { Command } from './commands.ts';
import type { LivesModel } from './model.ts';

const MINUTE_MS = 60_000;

export interface Shown {
  status: string;
  validation: string;
  points: number;
}

/** The athlete's view of one activity. */
export function showOf(model: LivesModel, athlete: string, id: string, { status, standing }: View): Shown {
  const validation = status === 'validated' ? (standing?.method ?? 'none') : 'none';
  return { status, validation, points: model.points(athlete).get(id) ?? 0 };
}

/** A referee's correction. */

export function adjustmentOf({ adjust }: { adjust?: string | undefined }, { ended }: { ended: number }): object {
  if (adjust === 'shorter') return { adjust: { ended_at: iso(ended - 8 * MINUTE_MS) } };
  if (adjust === 'longer') return { adjust: { ended_at: iso(ended + MINUTE_MS) } };
  if (adjust === 'hard') return { adjust: { intensity: 'hard' } };
  return adjust === 'distance' ? { adjust: { distance_m: 900 } } : {};
}

/** The code that the athlete's device draws. */
export function codeOf(
  { public_id, name, key_id }: Person,
  activity_id: string,
  facts: Facts & { ended: number },
  step: number,
) {
  return {
    activity_id,
    public_id,
    display_name: name,
    sport_center_id: facts.center,
    sport_type: facts.sport,
    started_at: facts.started,
    ended_at: facts.ended,
    paused_s: facts.paused,
    intensity: facts.intensity,
    distance_m: hasDistance(facts.sport) ? facts.distance : null,
    step,
    key_id,
  };
}

type Edit = Extract<Command, { kind: 'edit' }>;

/** The fields of an edit, by which this command changes the athlete's facts. */
export function changeOf(
  { change, shift_min }: Pick<Edit, 'change' | 'shift_min'>,
  own: Facts | undefined,
  { center, wall }: { center: string; wall: string },
  now: number,
) {
  const shift = shift_min * MINUTE_MS;
  const [other_sport = SPORTS[0]] = SPORTS.filter((sport) => sport !== own?.sport);
  const changes = {
    start: { started_at: iso((own?.started ?? now) + shift) },
    end: { ended_at: iso((own?.ended ?? now) + shift) },
    later: {
      started_at: iso((own?.started ?? now) + 6 * shift),
      ...(own?.ended ? { ended_at: iso(own.ended + 6 * shift) } : {}),
    },
    intensity: { intensity: own?.intensity === 'easy' ? ('hard' as const) : ('easy' as const) },
    distance: { distance_m: shift_min > 0 ? 1500 : null },
    sport: { sport_type: other_sport },
    center: { sport_center_id: own?.center === center ? wall : center },
    pause: { paused_s: shift_min > 0 ? shift_min * 60 : 0 },
    nothing: {},
  };
  return changes[change];
}

/** Times as the wire has them. */
export const iso = (at: number) => new Date(at).toISOString();

/** Throws RangeError if there is no such element. */
export function nthOf<Value>(list: Value[], index: number): Value {
  const value = list[index];
  if (value === undefined) throw new RangeError('there is no such one');
  return value;
}
