import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { withdrawRefereeDecisions } from '#api/modules/activities/operator-withdrawals.ts';
import { createRefereeService } from '#api/modules/referees/service.ts';
import { findUserByPublicId } from '#api/modules/users/service.ts';
import { parseCenterId } from './center.ts';
import { defineCommand, RefusedError, UsageError } from './command.ts';

export const command = defineCommand({
  noun: 'referees',
  verb: 'revoke',
  summary: 'end a right to confirm activities',
  description: `Ends the right of an athlete to confirm activities at a sport center, from now on. Earlier decisions stay, and so do
scans that were made before and arrive later.`,
  json: 'the counts, and the decisions that stay in force,',
  exit_codes: '0 revoked, 1 there was no such right or some decisions could not be taken back',
  declare: () =>
    new Command()
      .argument('<public-id>', 'the athlete')
      .argument('<center-id>', 'the sport center', parseCenterId)
      .option(
        '--reevaluate',
        'take back their decisions there, too: those activities lose their points and need another proof; lists the decisions that stay in force, and why',
      )
      .option(
        '--since <time>',
        'with --reevaluate: only scans from then on, such as 2026-11-01 or 2026-11-01T18:00:00Z',
        parseSince,
      ),
  async run({ database }, options, public_id, sport_center_id) {
    if (options.since !== undefined && !options.reevaluate) throw new UsageError('--since is for --reevaluate.');
    const since = options.reevaluate ? (options.since ?? new Date(0)) : undefined;
    const user = await findUserByPublicId(database, public_id);
    const referees = createRefereeService(database);
    const had_right = user !== undefined && (await referees.hadRight(user.id, sport_center_id));
    const at = since ?? new Date();
    const revoked = had_right ? await referees.revoke({ user_id: user.id, sport_center_id, at }, null) : 0;
    // A right that already ended can still be reevaluated: the decisions made under it remain.
    if (!had_right || (revoked === 0 && since === undefined))
      throw new RefusedError(`${public_id} has no right at this center.`);
    const { withdrawn, passed_over } = since
      ? await withdrawRefereeDecisions(database, { user_id: user.id, sport_center_id, since })
      : { withdrawn: 0, passed_over: [] };
    const withdrawn_text = since ? `${withdrawn} decisions were taken back.\n` : '';
    return {
      data: { public_id, sport_center_id, revoked, withdrawn, passed_over },
      text: `${public_id} is no longer a referee there.\n${withdrawn_text}`,
      problems: passed_over.map(({ decision_id, message }) => `${decision_id} stays in force: ${message}\n`).join(''),
      has_failed: passed_over.length > 0,
    };
  },
});

function parseSince(text: string): Date {
  const since = new Date(/^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/.test(text) ? text : Number.NaN);
  if (since <= new Date()) return since;
  throw new InvalidArgumentError(`${text} is not a time in the past.`);
}
