import { Command } from '@commander-js/extra-typings';
import { renderUnicodeCompact } from 'uqr';
import { formatCode } from '#api/modules/invites/service.ts';
import { inviteManager } from '#api/modules/managers/service.ts';
import { readEnv } from '#api/platform/env.ts';
import { findOpenCenter, parseCenterId } from '../center.ts';
import { defineCommand } from '../command.ts';

export const command = defineCommand({
  noun: 'managers',
  verb: 'invite',
  summary: 'make a one-time link for a new manager of a center',
  description: `Prints a link and a QR code. The first user who opens it becomes a manager of the center: they may change its details and
hours, and invite its referees and kiosks. It works once, for 24 hours.`,
  json: 'the invite',
  exit_codes: '0 made, 1 no such center, or it is closed',
  declare: () => new Command().requiredOption('--center <center-id>', 'the sport center', parseCenterId),
  async run({ database }, { center: center_id }) {
    const center = await findOpenCenter(database, center_id);
    const invitation = { sport_center_id: center.id, public_url: readEnv(process.env).PUBLIC_URL };
    const { code, url, expires_at } = await inviteManager(database, invitation, new Date());
    return {
      data: { code, url, expires_at, sport_center_id: center.id },
      text: `A manager of ${center.name}.
Good for one person, until ${expires_at.toISOString()}:

${renderUnicodeCompact(url)}

${url}

Code: ${formatCode(code)}
`,
    };
  },
});
