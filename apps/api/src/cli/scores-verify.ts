import { parseArgs } from 'node:util';
import { type ScoreDifference, verifyScores } from '#api/modules/activities/score/verify-scores.ts';
import { type Command, type CommandContext, EXIT_OK, EXIT_REFUSED, EXIT_USAGE } from './command.ts';

const usage = `npm run sendlap -- scores verify [--json]

Sums the score ledger up again and computes the points and counted minutes of every activity and the scores of all
boards anew, by the rules and inputs that were stored; and looks for activities that stand by a decision that was taken
back. Changes nothing, and may run beside the server.

  --json  print the differences as JSON

Exit code: 0 no difference, 1 there are differences, 2 wrong usage.
`;

export const command: Command = {
  noun: 'scores',
  verb: 'verify',
  summary: 'Compute all scores again and compare',
  usage,
  run,
};

const WHAT: Record<ScoreDifference['what'], string> = {
  ledger: 'points of an activity against the sum of its ledger entries',
  rule: 'points of an activity against the rule',
  minutes: 'counted minutes of an activity against its times and its day',
  decision: 'decisions that were taken back and still stand',
  board: 'score of a week, season or all time against its activities and the ledger',
  athlete_week: "what an athlete's week comes to against its activities; told are the points",
  badge: 'badges that were reached and not given',
};

async function run(args: string[], { database, stdout, stderr }: CommandContext): Promise<number> {
  const wish = parseJsonOnly(args);
  if (typeof wish === 'string') {
    stderr.write(`${wish}\n\n${usage}`);
    return EXIT_USAGE;
  }
  const report = await verifyScores(database);
  if (wish.json) stdout.write(`${JSON.stringify(report)}\n`);
  else {
    stdout.write(`${report.activities} activities, ${report.differences.length} differences\n`);
    for (const { user_id, activity_id, what, is, should_be } of report.differences) {
      stdout.write(`  ${WHAT[what]}: ${is} instead of ${should_be} (user ${user_id}`);
      stdout.write(activity_id === undefined ? ')\n' : `, activity ${activity_id})\n`);
    }
  }
  return report.differences.length === 0 ? EXIT_OK : EXIT_REFUSED;
}

/** Of a verb without any other option: whether JSON is wanted, or what is wrong with the words. */
export function parseJsonOnly(args: string[]): { json: boolean } | string {
  try {
    return parseArgs({ args, options: { json: { type: 'boolean', default: false } } }).values;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
