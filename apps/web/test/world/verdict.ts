import type { Op } from '@sendlap/contract/activities.ts';
import type { ErrorCode } from '@sendlap/contract/wire/errors.ts';
import { CLOCK_UNSURE } from '#web/shared/outbox/store/records.ts';
import type { Notebook } from './base/notebook.ts';
import type { ModelActivities } from './server/model-activities.ts';
import type { BoardItem } from './server/model-kiosk.ts';
import { POINTS } from './server/model-proofs.ts';

/** A move of the clock of less than a minute is not corrected; a measurement is wrong by half its round trip. */
const TIME_TOLERANCE_MS = 150_000;

interface VerdictInput {
  notebook: Notebook;
  activities: Pick<ModelActivities, 'effectOf' | 'find' | 'pointsOf'>;
  /** What the kiosk of the center shows; null: nothing. Empty without one. */
  boards: readonly (BoardItem[] | null)[];
  /** Users with a second phone, which may have started or finished first. */
  two_phones: ReadonlySet<string>;
}

/** Of ops that came too late at the server, since another phone or a question of time held them back. */
const OVERTAKEN: ReadonlySet<string> = new Set<ErrorCode>([
  'activity_already_active',
  'activity_already_finished',
  'activity_not_found',
]);

/** Once all is calm: each saved op has acted once, for its own user, at its own time, or was refused with a reason. */
export function findDamage(input: VerdictInput): string[] {
  const { notebook, activities } = input;
  const { actions, discarded, refused } = notebook;
  const damage: string[] = [];
  for (const [op_id, { user_id, kind, client_id, done_at, is_saved }] of actions) {
    const effect = activities.effectOf(op_id);
    // A scan waits for ever if the activity never ends at the server, and may be withdrawn while it waits.
    const may_wait =
      kind === 'scan' && (!activities.find(client_id)?.ended_at || hasActed(input, 'withdraw', client_id));
    // A step that was refused after its user last looked goes with the rest.
    const is_told = refused.has(op_id) || discarded.has(op_id);
    if (!effect && is_saved && !is_told && !may_wait) damage.push(`${kind} ${op_id} is lost`);
    if (!effect) continue;
    if (effect.times > 1) damage.push(`${kind} ${op_id} acted ${effect.times} times`);
    if (effect.user_id !== user_id) damage.push(`${kind} ${op_id} is another user's`);
    const error_ms = Date.parse(effect.at) - done_at;
    if (Math.abs(error_ms) > TIME_TOLERANCE_MS)
      damage.push(`${kind} ${op_id} is ${Math.round(error_ms / 1_000)} s off`);
  }
  return [...damage, ...findWrongRefusals(input), ...findWrongPoints(input), ...findWrongBoards(input)];
}

/** A refusal is right if a second phone or a question of time about the same user's activities explains its code. */
function findWrongRefusals({ notebook, two_phones }: VerdictInput): string[] {
  const { actions, refused, asked } = notebook;
  const held_back = new Set([...actions.values()].filter((one) => asked.has(one.client_id)).map((one) => one.user_id));
  return [...refused].flatMap(([op_id, { user_id, client_id, code }]) => {
    const may_ask = code === CLOCK_UNSURE && asked.has(client_id);
    const may_be_late = OVERTAKEN.has(code) && (two_phones.has(user_id) || held_back.has(user_id));
    return may_ask || may_be_late ? [] : [`${op_id} is refused: ${code}`];
  });
}

/** Returns whether an op of this kind about the activity was accepted. */
function hasActed({ notebook, activities }: VerdictInput, kind: Op['kind'], client_id: string): boolean {
  return [...notebook.actions].some(
    ([op_id, action]) => action.kind === kind && action.client_id === client_id && activities.effectOf(op_id),
  );
}

/**
 * An activity is proven if it was confirmed and the referee did not take that back, or if the kiosk proved it and no
 * referee did, in whatever order they came: a scan overtakes the kiosk for good.
 */
function isProven(input: VerdictInput, client_id: string): boolean {
  if (hasActed(input, 'scan', client_id)) return !hasActed(input, 'withdraw', client_id);
  return input.activities.find(client_id)?.venue_codes === 2;
}

const activitiesOf = ({ notebook }: VerdictInput) =>
  new Set([...notebook.actions.values()].map(({ client_id }) => client_id));

function findWrongPoints(input: VerdictInput): string[] {
  return [...activitiesOf(input)].flatMap((client_id) => {
    const expected = isProven(input, client_id) ? POINTS : 0;
    const points = input.activities.pointsOf(client_id);
    return points === expected ? [] : [`${client_id} has ${points} points, not ${expected}`];
  });
}

/** The kiosk shows everyone with a proven activity, each with their points and after all who have more. */
function findWrongBoards(input: VerdictInput): string[] {
  const proven = [...activitiesOf(input)].filter((client_id) => isProven(input, client_id));
  const users = Map.groupBy(proven, (client_id) => input.activities.find(client_id)?.user_id ?? 'no user');
  const rows = [...users].map(([name, { length }]) => {
    const rank = 1 + [...users.values()].filter((other) => other.length > length).length;
    return `${rank}. ${name} ${length * POINTS}`;
  });
  const expected = rows.sort().join(', ');
  const told = input.boards.map((items) => items?.map(({ rank, name, points }) => `${rank}. ${name} ${points}`));
  return told
    .map((shown) => shown?.sort().join(', '))
    .filter((shown) => shown !== expected)
    .map((shown) => `the kiosk shows ${shown ?? 'no board'}, not ${expected}`);
}
