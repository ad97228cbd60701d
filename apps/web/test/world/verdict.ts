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

/** Once all is calm: each saved op has acted once, for its own user, at its own time. */
export function findDamage({ notebook, activities, may_refuse }: VerdictInput): string[] {
  const { saved, refused, done_at, asked } = notebook;
  const damage: string[] = [];
  for (const [op_id, user_id] of saved) {
    const owner = activities.ownerOf(op_id);
    const reason = refused.get(op_id);
    if (owner === user_id || (owner === undefined && reason !== undefined)) continue;
    damage.push(`${user_id}: ${op_id} is ${owner === undefined ? 'lost' : `${owner}'s`}`);
  }
  if (!may_refuse && asked.size === 0) for (const [op_id, code] of refused) damage.push(`${op_id} is refused: ${code}`);
  for (const [name, at_ms] of done_at) {
    const [kind, client_id = ''] = name.split(' ');
    const activity = activities.find(client_id);
    const told = kind === 'start' ? activity?.started_at : activity?.ended_at;
    if (!told || asked.has(client_id)) continue;
    const error_ms = Date.parse(told) - at_ms;
    if (Math.abs(error_ms) > TIME_TOLERANCE_MS) damage.push(`${name} is ${Math.round(error_ms / 1_000)} s off`);
  }
  return damage;
}
