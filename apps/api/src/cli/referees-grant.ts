import { Command, Option } from '@commander-js/extra-typings';
import { SPORTS } from '@sendlap/domain/sports.ts';
import { createRefereeService } from '#api/modules/referees/service.ts';
import { findUserByPublicId } from '#api/modules/users/service.ts';
import { findOpenCenter, parseCenterId } from './center.ts';
import { defineCommand, parseCount, RefusedError } from './command.ts';

export const command = defineCommand({
  noun: 'referees',
  verb: 'grant',
  summary: 'let an athlete confirm activities at a center',
  description: 'Lets an athlete confirm the activities of others at one sport center.',
  json: 'the right',
  exit_codes: '0 granted, 1 no such athlete or center',
  declare: () =>
    new Command()
      .argument('<public-id>', 'the athlete')
      .argument('<center-id>', 'the sport center', parseCenterId)
      .addOption(new Option('--sport <sport>', 'without it every sport of the center').choices(SPORTS))
      .option('--days <n>', 'how long the right lasts; without it until it is revoked', parseCount),
  async run({ database }, { sport, days }, public_id, center_id) {
    const user = await findUserByPublicId(database, public_id);
    if (!user) throw new RefusedError(`There is no user ${public_id}.`);
    const center = await findOpenCenter(database, center_id);
    if (sport && !center.sports.includes(sport)) throw new RefusedError(`${center.name} does not offer ${sport}.`);
    const now = new Date();
    const right = {
      user_id: user.id,
      sport_center_id: center.id,
      sport_types: sport ? [sport] : center.sports,
      granted_by: 'operator',
      valid_from: now,
      valid_until: days ? new Date(now.getTime() + days * 86_400_000) : null,
    };
    await createRefereeService(database).grant(right);
    const sports = right.sport_types.join(' and ');
    return {
      data: right,
      text: `${user.name} (${user.public_id}) is now a referee for ${sports} at ${center.name}.\n`,
    };
  },
});
