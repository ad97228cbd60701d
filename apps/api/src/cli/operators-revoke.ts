import { Command } from '@commander-js/extra-typings';
import { hasOperator, revokeOperator } from '#api/modules/operators/service.ts';
import { findUserByPublicId } from '#api/modules/users/service.ts';
import { defineCommand, RefusedError } from './command.ts';

const LAST_NOTE = 'No operator is left: the next start of the server prints a set-up address again.\n';

export const command = defineCommand({
  noun: 'operators',
  verb: 'revoke',
  summary: "end an operator's right",
  description: `Ends an operator's right at once. What they have set stays, and their account too. Unused invites and set-up addresses end.`,
  json: 'the outcome',
  exit_codes: '0 revoked, 1 no such athlete, or not an operator',
  declare: () => new Command().argument('<public-id>', 'the athlete'),
  async run({ database }, _options, public_id) {
    const user = await findUserByPublicId(database, public_id);
    if (!user) throw new RefusedError(`There is no user ${public_id}.`);
    if (!(await revokeOperator(database, user.id))) throw new RefusedError(`${public_id} is not an operator.`);
    const has_operator = await hasOperator(database);
    return {
      data: { user_id: user.id, public_id, has_operator },
      text: `${public_id} is no longer an operator.\n${has_operator ? '' : LAST_NOTE}`,
    };
  },
});
