import { awardRetroactively } from '#api/modules/badges/award-retroactively.ts';
import { defineCommand } from './command.ts';

export const command = defineCommand({
  noun: 'badges',
  verb: 'award',
  summary: 'award badges that past activities have earned',
  description: `Applies the rules of all badges to all past activities, for badges that were added later. Athletes are not notified,
no badge is taken away, and existing ones keep their date. May run beside the server, and again.`,
  json: 'the counts',
  exit_codes: '0 done',
  async run({ database }) {
    const data = await awardRetroactively(database);
    return { data, text: `${data.users} people, ${data.badges} new badges\n` };
  },
});
