import { recomputeScores } from '#api/modules/activities/score/verify-scores.ts';
import { type Command, type CommandContext, EXIT_OK, EXIT_USAGE } from './command.ts';
import { parseJsonOnly } from './scores-verify.ts';

const usage = `npm run sendlap -- scores recompute [--json]

Rebuilds what is derived from the score ledger: the points of all activities and the scores of all boards. The ledger
itself is never changed. May run beside the server, one athlete at a time.

  --json  print the counts as JSON

Exit code: 0 done, 2 wrong usage.
`;

export const command: Command = {
  noun: 'scores',
  verb: 'recompute',
  summary: 'Rebuild points and boards from the ledger',
  usage,
  run,
};

async function run(args: string[], { database, stdout, stderr }: CommandContext): Promise<number> {
  const wish = parseJsonOnly(args);
  if (typeof wish === 'string') {
    stderr.write(`${wish}\n\n${usage}`);
    return EXIT_USAGE;
  }
  const done = await recomputeScores(database);
  const { users, weeks, changed } = done;
  stdout.write(
    wish.json ? `${JSON.stringify(done)}\n` : `${users} athletes, ${weeks} weeks, ${changed} rows that were wrong\n`,
  );
  return EXIT_OK;
}
