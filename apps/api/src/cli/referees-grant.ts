import { parseArgs } from 'node:util';
import { isUuidV4 } from '@sendlap/domain/ids.ts';
import { SPORTS, type Sport } from '@sendlap/domain/scoring.ts';
import { createRefereeService } from '#api/modules/referees/service.ts';
import { findUserByPublicId } from '#api/modules/users/service.ts';
import { findOpenCenter } from './center.ts';
import { type Command, type CommandContext, EXIT_OK, EXIT_REFUSED, EXIT_USAGE } from './command.ts';

const usage = `npm run sendlap -- referees grant <public-id> <center-id> [--sport <sport>] [--days <n>] [--json]

Lets an athlete confirm the activities of others at one sport center.

  --sport <sport>   climbing or swimming; without it every sport of the center
  --days <n>        how long the right lasts; without it until it is revoked
  --json            print the right as JSON

Exit code: 0 granted, 1 no such athlete or center, 2 wrong usage.
`;

export const command: Command = {
  noun: 'referees',
  verb: 'grant',
  summary: 'Let an athlete confirm activities at a center',
  usage,
  run,
};

interface Grant {
  public_id: string;
  sport_center_id: string;
  sport: Sport | undefined;
  days: number | undefined;
  json: boolean;
}

async function run(args: string[], { database, stdout, stderr }: CommandContext): Promise<number> {
  const grant = parse(args);
  if (typeof grant === 'string') {
    stderr.write(`${grant}\n\n${usage}`);
    return EXIT_USAGE;
  }
  const refuse = (why: string) => {
    stderr.write(`${why}\n`);
    return EXIT_REFUSED;
  };
  const user = await findUserByPublicId(database, grant.public_id);
  if (!user) return refuse(`There is no athlete ${grant.public_id}.`);
  const center = await findOpenCenter(database, grant.sport_center_id);
  if (typeof center === 'string') return refuse(center);
  if (grant.sport && !center.sports.includes(grant.sport))
    return refuse(`${center.name} does not offer ${grant.sport}.`);
  const now = new Date();
  const right = {
    user_id: user.id,
    sport_center_id: center.id,
    sport_types: grant.sport ? [grant.sport] : center.sports,
    granted_by: 'operator',
    valid_from: now,
    valid_until: grant.days ? new Date(now.getTime() + grant.days * 86_400_000) : null,
  };
  await createRefereeService(database).grant(right);
  stdout.write(
    grant.json
      ? `${JSON.stringify(right)}\n`
      : `${user.name} (${user.public_id}) is now a referee for ${right.sport_types.join(' and ')} at ${center.name}.\n`,
  );
  return EXIT_OK;
}

/** The grant, or what is wrong with the words. */
function parse(args: string[]): Grant | string {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { sport: { type: 'string' }, days: { type: 'string' }, json: { type: 'boolean', default: false } },
    });
    const [public_id, sport_center_id] = positionals;
    if (!public_id || !sport_center_id || positionals.length > 2) return 'Name one public id and one center id.';
    if (!isUuidV4(sport_center_id)) return `${sport_center_id} is not the id of a sport center.`;
    const sport = SPORTS.find((each) => each === values.sport);
    if (values.sport !== undefined && !sport) return `${values.sport} is not a sport.`;
    // A hundred years would be after the last one that the wire tells.
    if (values.days !== undefined && !/^[1-9]\d{0,3}$/.test(values.days)) return '--days takes a number of 1 to 9999.';
    return {
      public_id,
      sport_center_id,
      sport,
      days: values.days ? Number(values.days) : undefined,
      json: values.json,
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
