import { nextState } from '@sendlap/domain/activity-states.ts';
import { redistributePoints, withDecisions } from '../points/redistribute-points.ts';
import { refusalOf, rowOrThrow } from '../record/refusals.ts';
import type { OpInputs } from '../record/store.ts';
import type { Change } from './stages.ts';

/** Leaves a tombstone, so that a late op or proof cannot bring the activity back; its points are reversed. */
export function deleteActivity(found: OpInputs): Change {
  const before = rowOrThrow(found.row);
  const next = nextState(before.status, 'delete');
  if ('error' in next) throw refusalOf(next.error);
  const row = withDecisions({ ...before, status: next.state }, found.decisions);
  if (before.status !== 'validated') return { before, row };
  const redistribution = redistributePoints(before, row, found.others);
  return { before, row: redistribution.row, redistribution };
}
