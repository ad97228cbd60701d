import type { View } from './activity-view.ts';
import type { LivesModel, Told } from './model.ts';

/** Takes a finish back. Returns all reasons against it; empty if it is done. */
export function reopen(model: LivesModel, told: Told, view: View): string[] {
  if (view.status === 'deleted') return ['activity_deleted'];
  if (view.status === 'validated') return ['activity_already_validated'];
  if (view.status === 'rejected') return ['activity_rejected'];
  if (view.status === 'active') return [];
  const codes = view.given.length > 0 ? ['activity_already_finished'] : [];
  const others = model.views(told.athlete, told.activity_id);
  if (others.some(({ view: other }) => other.status === 'active')) codes.push('activity_already_active');
  if (model.overlaps(told.athlete, told.activity_id, { ...view.own, ended: null })) codes.push('activity_overlap');
  if (codes.length === 0) told.actions.push({ kind: 'reopen' });
  return codes;
}
