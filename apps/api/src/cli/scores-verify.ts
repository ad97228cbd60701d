import { type ScoreDifference, verifyScores } from '#api/modules/activities/points/verify-scores.ts';
import { defineCommand } from './command.ts';

const DIFFERENCE_TEXTS: Record<ScoreDifference['what'], string> = {
  ledger: 'points of an activity against the sum of its ledger entries',
  rule: 'points of an activity against the rule',
  minutes: 'counted minutes of an activity against its times and its day',
  decision: 'decisions that were taken back and are still in force',
  board: 'score of a week, season or all time against its activities and the ledger',
  athlete_week: "totals of an athlete's week against its activities; printed are the points",
  badge: 'badges that were reached and not awarded',
};

export const command = defineCommand({
  noun: 'scores',
  verb: 'verify',
  summary: 'compute all scores again and compare',
  description: `Sums the score ledger up, computes the points and counted minutes of every activity and the scores of all boards by the
stored rules and inputs, and compares. Also finds activities whose decision was taken back. Changes nothing, and may run
beside the server.`,
  json: 'the differences',
  exit_codes: '0 no difference, 1 there are differences',
  async run({ database }) {
    const data = await verifyScores(database);
    const lines = data.differences.map(describe).join('');
    return {
      data,
      text: `${data.activities} activities, ${data.differences.length} differences\n${lines}`,
      has_failed: data.differences.length > 0,
    };
  },
});

function describe({ user_id, activity_id, what, is, should_be }: ScoreDifference): string {
  const activity = activity_id === undefined ? '' : `, activity ${activity_id}`;
  return `  ${DIFFERENCE_TEXTS[what]}: ${is} instead of ${should_be} (user ${user_id}${activity})\n`;
}
