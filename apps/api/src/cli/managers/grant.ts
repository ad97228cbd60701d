import { Command } from '@commander-js/extra-typings';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
import { grantManager } from '#api/modules/managers/service.ts';
import { findUserByPublicId } from '#api/modules/users/service.ts';
import { findOpenCenter, parseCenterId } from '../center.ts';
import { defineCommand, RefusedError, toTerminalSafeJson } from '../command.ts';

export const command = defineCommand({
  noun: 'managers',
  verb: 'grant',
  summary: 'let an athlete run a center',
  description: `Makes an athlete a manager of a sport center, without an invite: they may change its details and hours, and invite its
referees and kiosks.`,
  json: 'the right',
  exit_codes: '0 granted, 1 no such athlete or center, the center is closed, or already a manager there',
  declare: () =>
    new Command().argument('<public-id>', 'the athlete').argument('<center-id>', 'the sport center', parseCenterId),
  async run({ database }, _options, public_id, center_id) {
    const user = await findUserByPublicId(database, public_id);
    if (!user || user.id === DELETED_USER_ID) throw new RefusedError(`There is no user ${public_id}.`);
    const center = await findOpenCenter(database, center_id);
    if (!(await grantManager(database, { user_id: user.id, sport_center_id: center.id })))
      throw new RefusedError(`${public_id} is a manager there already.`);
    return {
      data: { user_id: user.id, public_id, sport_center_id: center.id },
      text: `${toTerminalSafeJson(user.name)} (${public_id}) is now a manager of ${center.name}.\n`,
    };
  },
});
