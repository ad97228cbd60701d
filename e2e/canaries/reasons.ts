import { type Climber, decide, recordClimb } from './activities.ts';
import { makeRefereeAndManager } from './people.ts';
import type { World } from './spread.ts';

/** The stranger's climbs that others recorded before. */
const FREE_SLOT = 3;
/** With fewer rejections, a referee is not reviewed. */
const LEFT_TO_REVIEW = 5;

interface Review {
  scanner: { public_id: string };
  decisions: { id: string }[];
}

/**
 * The first stranger becomes a referee who rejects the others. So the operator has reviews to look at; writes reasons with
 * canaries for those that are kept, and for decisions that are taken back.
 */
export async function writeReasons(world: World, [referee, ...others]: Climber[]): Promise<void> {
  const { operator, canaries, victims, center_ids } = world;
  const [center_id = ''] = center_ids;
  if (!referee) throw new Error('there is no stranger');
  const { athlete: scanner } = referee;
  await makeRefereeAndManager(operator, scanner, [center_id]);
  for (const climber of others)
    await decide(scanner, climber, await recordClimb(climber, center_id, FREE_SLOT), { decision: 'reject' });
  const { items } = await victims.operator.send<{ items: Review[] }>('GET', '/v1/manage/reviews');
  const decisions = items.find((review) => review.scanner.public_id === scanner.public_id)?.decisions ?? [];
  const withdrawn = decisions.slice(0, others.length - LEFT_TO_REVIEW);
  if (withdrawn.length === 0) throw new Error('there is no decision to take back');
  for (const [nth, { id }] of withdrawn.entries()) {
    const body = { decision_ids: [id], reason: canaries.make('withdrawal', nth) };
    await victims.operator.send('POST', '/v1/manage/reviews/withdrawals', body);
  }
  const review = { kind: 'only_rejections', scanner: victims.staff.public_id, athlete: null };
  for (let nth = 0; nth < canaries.count; nth += 1) {
    const body = { ...review, reason: canaries.make('kept review', nth) };
    await victims.operator.send('POST', '/v1/manage/reviews/keep', body);
    // As after the time for which a kept one rests.
    await operator.database.deleteFrom('kept_reviews').execute();
  }
}
