import { Command } from '@commander-js/extra-typings';
import { leaveOrRevokeManager } from '#api/modules/managers/service.ts';
import { findUserByPublicId } from '#api/modules/users/service.ts';
import { parseCenterId } from '../center.ts';
import { defineCommand, RefusedError } from '../command.ts';

export const command = defineCommand({
  noun: 'managers',
  verb: 'revoke',
  summary: "end a manager's right at a center",
  description: `Ends a manager's right at a sport center at once. What they have set stays, and their account too. Unused invites of the
center end.`,
  json: 'the outcome',
  exit_codes: '0 revoked, 1 no such athlete, or not a manager there',
  declare: () =>
    new Command().argument('<public-id>', 'the athlete').argument('<center-id>', 'the sport center', parseCenterId),
  async run({ database }, _options, public_id, sport_center_id) {
    const user = await findUserByPublicId(database, public_id);
    if (!user) throw new RefusedError(`There is no user ${public_id}.`);
    if (!(await leaveOrRevokeManager(database, { user_id: user.id, sport_center_id }, null)))
      throw new RefusedError(`${public_id} is not a manager there.`);
    return {
      data: { user_id: user.id, public_id, sport_center_id },
      text: `${public_id} is no longer a manager there.\n`,
    };
  },
});
