import { isUuidV4 } from '@sendlap/domain/ids.ts';
import { createRefereeService } from '#api/modules/referees/service.ts';
import { findUserByPublicId } from '#api/modules/users/service.ts';
import { type Command, type CommandContext, EXIT_OK, EXIT_REFUSED, EXIT_USAGE } from './command.ts';

const usage = `npm run sendlap -- referees revoke <public-id> <center-id>

Ends the right of an athlete to confirm activities at a sport center, from now on.

Exit code: 0 revoked, 1 there was no such right, 2 wrong usage.
`;

export const command: Command = {
  noun: 'referees',
  verb: 'revoke',
  summary: 'End a right to confirm activities',
  usage,
  run,
};

async function run(args: string[], { database, stdout, stderr }: CommandContext): Promise<number> {
  const [public_id, sport_center_id] = args;
  if (!public_id || !isUuidV4(sport_center_id) || args.length > 2) {
    stderr.write(`Name one public id and one center id.\n\n${usage}`);
    return EXIT_USAGE;
  }
  const user = await findUserByPublicId(database, public_id);
  const revoked = user ? await createRefereeService(database).revoke(user.id, sport_center_id, new Date()) : 0;
  if (revoked === 0) {
    stderr.write(`${public_id} has no right at this center.\n`);
    return EXIT_REFUSED;
  }
  stdout.write(`${public_id} is no longer a referee there.\n`);
  return EXIT_OK;
}
