import { Command } from '@commander-js/extra-typings';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
import { grantOperator } from '#api/modules/operators/service.ts';
import { findUserByPublicId } from '#api/modules/users/service.ts';
import { defineCommand, RefusedError, toTerminalSafeJson } from './command.ts';

export const command = defineCommand({
  noun: 'operators',
  verb: 'grant',
  summary: 'let an athlete run this server in the browser',
  description: `Makes an athlete an operator of this server, without a set-up address: they may name it, choose its town and load sport
centers.`,
  json: 'the right',
  exit_codes: '0 granted, 1 no such athlete, a locked account, or already an operator',
  declare: () => new Command().argument('<public-id>', 'the athlete'),
  async run({ database }, _options, public_id) {
    const user = await findUserByPublicId(database, public_id);
    if (!user || user.id === DELETED_USER_ID) throw new RefusedError(`There is no user ${public_id}.`);
    if (!user.is_active) throw new RefusedError(`The account of ${public_id} is locked.`);
    if (!(await grantOperator(database, user.id))) throw new RefusedError(`${public_id} is an operator already.`);
    return {
      data: { user_id: user.id, public_id },
      text: `${toTerminalSafeJson(user.name)} (${public_id}) is now an operator.\n`,
    };
  },
});
