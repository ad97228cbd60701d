import { Command } from '@commander-js/extra-typings';
import { revokeKiosksAt } from '#api/modules/kiosks/service.ts';
import { parseCenterId } from './center.ts';
import { defineCommand } from './command.ts';

export const command = defineCommand({
  noun: 'kiosks',
  verb: 'revoke',
  summary: 'end the kiosks of a center',
  description: `Ends all kiosks of a sport center and takes back the unused codes for more, at once: their codes stop being a proof,
and their tokens are refused.`,
  json: 'the counts',
  exit_codes: '0 revoked, 1 there was nothing to revoke',
  declare: () => new Command().requiredOption('--center <center-id>', 'the sport center', parseCenterId),
  async run({ database }, { center }) {
    const data = await revokeKiosksAt(database, { sport_center_id: center, now: new Date() }, null);
    if (data.kiosks + data.invites === 0) {
      const problems = 'There is no kiosk at this center, and no code for one.\n';
      return { data, text: '', problems, has_failed: true };
    }
    return { data, text: `Ended ${data.kiosks} kiosks and ${data.invites} codes for more.\n` };
  },
});
