import type { ModelActivities } from './model-activities.ts';
import type { Notebook } from './notebook.ts';

/** A move of the clock of less than a minute is not corrected; a measurement is wrong by half its round trip. */
const TIME_TOLERANCE_MS = 150_000;

interface VerdictInput {
  notebook: Notebook;
  activities: ModelActivities;
  /** Another phone of the same athlete may have started or finished first. */
  may_refuse: boolean;
}

/** Once all is calm: each saved op has acted once, for its own user, at its own time, or was refused with a reason. */
export function findDamage({ notebook, activities, may_refuse }: VerdictInput): string[] {
  const { deeds, refused, asked } = notebook;
  const damage: string[] = [];
  for (const [op_id, { user_id, kind, done_at, is_saved }] of deeds) {
    const effect = activities.effectOf(op_id);
    if (!effect && is_saved && !refused.has(op_id)) damage.push(`${kind} ${op_id} is lost`);
    if (!effect) continue;
    if (effect.user_id !== user_id) damage.push(`${kind} ${op_id} is another user's`);
    const error_ms = Date.parse(effect.at) - done_at;
    if (Math.abs(error_ms) > TIME_TOLERANCE_MS)
      damage.push(`${kind} ${op_id} is ${Math.round(error_ms / 1_000)} s off`);
  }
  // A question of time holds an activity back, and others overtake it.
  if (!may_refuse && asked.size === 0) for (const [op_id, code] of refused) damage.push(`${op_id} is refused: ${code}`);
  return damage;
}
