import { Command } from '@commander-js/extra-typings';
import { KIOSK_PATH } from '@sendlap/contract/wire/screens.ts';
import { formatCode, inviteToCenter } from '#api/modules/invites/service.ts';
import { readEnv } from '#api/platform/env.ts';
import { findOpenCenter, parseCenterId } from './center.ts';
import { defineCommand } from './command.ts';

export const command = defineCommand({
  noun: 'kiosks',
  verb: 'invite',
  summary: "make a one-time code for a center's tablet",
  description: `Prints a code that makes one tablet the center's kiosk: open the address on the tablet and type the code. It works
once, for 24 hours.`,
  json: 'the invite',
  exit_codes: '0 made, 1 no such center, or the center is closed',
  declare: () => new Command().requiredOption('--center <center-id>', 'the sport center', parseCenterId),
  async run({ database }, options) {
    const { id: sport_center_id, name } = await findOpenCenter(database, options.center);
    const invitation = { kind: 'kiosk', sport_center_id, sport_types: [], right_until: null } as const;
    const { code, expires_at } = await database
      .transaction()
      .execute((trx) => inviteToCenter(trx, invitation, null, new Date()));
    const url = `${readEnv(process.env).PUBLIC_URL}${KIOSK_PATH}`;
    return {
      data: { code, url, expires_at, sport_center_id },
      text: `A kiosk for ${name}. Good for one tablet, until ${expires_at.toISOString()}.

Open:  ${url}
Code:  ${formatCode(code)}
`,
    };
  },
});
