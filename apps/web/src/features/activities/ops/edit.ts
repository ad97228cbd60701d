import type { Op } from '@sendlap/contract/activities.ts';
import { MAX_ACTIVITY_DURATION_MS } from '@sendlap/domain/scan-checks.ts';
import { isPauseWithin } from '@sendlap/domain/scoring.ts';
import type { Intensity } from '@sendlap/domain/sports/sport-record.ts';
import { MAX_DISTANCE_M } from '@sendlap/domain/sports.ts';
import { floorToUnit, fromWholeMetres, toWholeMetres, type Units } from '@sendlap/domain/units.ts';
import type { ActivityView } from '../data/activity-view.ts';
import { fromLocalInput, toLocalInput } from '../data/times.ts';

const MINUTE_S = 60;

/** The corrected fields; omitted fields stay unchanged. */
export type EditChanges = Pick<
  Extract<Op, { kind: 'edit' }>,
  'started_at' | 'ended_at' | 'paused_s' | 'distance_m' | 'intensity' | 'sport_center_id'
>;

/** The sheet's fields as typed: times and pauses to the minute, the distance in the user's unit. */
export interface EditForm {
  started: string;
  ended: string;
  /** Minutes. */
  paused: string;
  distance: string;
  intensity: Intensity;
  sport_center_id: string;
}

interface ParsedEdit {
  /** null if a field is invalid or nothing has changed. */
  changes: EditChanges | null;
  invalid: { times: boolean; pause: boolean; distance: boolean };
}

type EditableActivity = Pick<
  ActivityView,
  'started_at' | 'ended_at' | 'paused_s' | 'distance_m' | 'intensity' | 'sport_center_id'
>;

/** `unit`: of the distance. */
export function toEditForm(activity: EditableActivity, unit: Units['swimming'] = 'm'): EditForm {
  const { started_at, ended_at, paused_s, distance_m, intensity, sport_center_id } = activity;
  return {
    started: toLocalInput(Date.parse(started_at)),
    ended: ended_at === null ? '' : toLocalInput(Date.parse(ended_at)),
    paused: String(Math.ceil(paused_s / MINUTE_S)),
    distance: distance_m === null ? '' : String(fromWholeMetres(distance_m, unit)),
    intensity: intensity ?? 'moderate',
    sport_center_id,
  };
}

/**
 * Returns the changes in a filled form. A time or pause whose text is unchanged keeps its seconds, a distance its
 * metres. `now`: ms epoch by the server's clock; `unit`: that of the form.
 */
export function parseEditForm(
  form: EditForm,
  activity: EditableActivity,
  now: number,
  unit: Units['swimming'] = 'm',
): ParsedEdit {
  const before = toEditForm(activity, unit);
  const started_at = form.started === before.started ? Date.parse(activity.started_at) : fromLocalInput(form.started);
  const ended_at = form.ended === before.ended ? Date.parse(activity.ended_at ?? '') : fromLocalInput(form.ended);
  const paused_s = form.paused === before.paused ? activity.paused_s : Number(form.paused) * MINUTE_S;
  const distance = form.distance.trim() === '' ? null : Number(form.distance);
  const typed_m = distance === null ? null : toWholeMetres(distance, unit);
  const distance_m = form.distance === before.distance ? activity.distance_m : typed_m;
  const duration_ms = ended_at - started_at;
  const invalid = {
    times: !(duration_ms > 0 && duration_ms <= MAX_ACTIVITY_DURATION_MS && ended_at <= now),
    pause: !isPauseWithin({ started_at, ended_at, paused_s }),
    distance:
      distance !== null &&
      !(Number.isInteger(distance) && distance >= 0 && distance <= floorToUnit(MAX_DISTANCE_M, unit)),
  };
  if (invalid.times || invalid.pause || invalid.distance) return { changes: null, invalid };
  const changes: EditChanges = {
    ...(form.started === before.started ? {} : { started_at: new Date(started_at).toISOString() }),
    ...(form.ended === before.ended ? {} : { ended_at: new Date(ended_at).toISOString() }),
    ...(form.paused === before.paused ? {} : { paused_s }),
    ...(distance_m === activity.distance_m ? {} : { distance_m }),
    ...(form.intensity === before.intensity ? {} : { intensity: form.intensity }),
    ...(form.sport_center_id === before.sport_center_id ? {} : { sport_center_id: form.sport_center_id }),
  };
  return { changes: Object.keys(changes).length > 0 ? changes : null, invalid };
}

/** ms epoch; `from` inclusive, `to` exclusive. */
export interface TimeRange {
  from: number;
  to: number;
}

/**
 * Returns the longest part of `own` that overlaps no other range; with `keep_start`, the part that begins at
 * `own.from`. null if no part is free.
 */
export function findLongestFreeRange(
  own: TimeRange,
  others: readonly TimeRange[],
  keep_start: boolean,
): TimeRange | null {
  const taken = others.filter(({ from, to }) => from < own.to && to > own.from).sort((a, b) => a.from - b.from);
  const free_ranges: TimeRange[] = [];
  let from = own.from;
  for (const range of taken) {
    if (range.from > from) free_ranges.push({ from, to: range.from });
    from = Math.max(from, range.to);
  }
  if (from < own.to) free_ranges.push({ from, to: own.to });
  const possible = keep_start ? free_ranges.filter((part) => part.from === own.from) : free_ranges;
  return possible.reduce<TimeRange | null>(
    (best, part) => (best === null || part.to - part.from > best.to - best.from ? part : best),
    null,
  );
}
