import { recomputeScores } from '#api/modules/activities/points/verify-scores.ts';
import { defineCommand } from './command.ts';

export const command = defineCommand({
  noun: 'scores',
  verb: 'recompute',
  summary: 'rebuild points and boards from the ledger',
  description: `Rebuilds everything that is derived from the score ledger: the points of all activities and the scores of all boards.
The ledger itself is never changed. May run beside the server, one athlete at a time.`,
  json: 'the counts',
  exit_codes: '0 done',
  async run({ database }) {
    const data = await recomputeScores(database);
    return { data, text: `${data.users} athletes, ${data.weeks} weeks, ${data.changed} rows that were wrong\n` };
  },
});
