import { badgeAwards } from '#api/modules/badges/service.ts';
import { type Command, type CommandContext, EXIT_OK, EXIT_USAGE } from './command.ts';
import { parseJsonOnly } from './scores-verify.ts';

const usage = `npm run sendlap -- badges award [--json]

Applies the rules of all badges to what everybody has done, for badges that are newer than that. Nobody is told, badges
that somebody has stay as they are, and none is taken away. May run beside the server, and again.

  --json  print the counts as JSON

Exit code: 0 done, 2 wrong usage.
`;

export const command: Command = {
  noun: 'badges',
  verb: 'award',
  summary: 'Give the badges that the past has earned',
  usage,
  run,
};

async function run(args: string[], { database, stdout, stderr }: CommandContext): Promise<number> {
  const wish = parseJsonOnly(args);
  if (typeof wish === 'string') {
    stderr.write(`${wish}\n\n${usage}`);
    return EXIT_USAGE;
  }
  const done = await badgeAwards.toThePast(database);
  const { users, badges } = done;
  stdout.write(wish.json ? `${JSON.stringify(done)}\n` : `${users} people, ${badges} new badges\n`);
  return EXIT_OK;
}
