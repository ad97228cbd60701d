import { renderUnicodeCompact } from 'uqr';
import { inviteOperator } from '#api/modules/operators/service.ts';
import { readEnv } from '#api/platform/env.ts';
import { defineCommand } from './command.ts';

export const command = defineCommand({
  noun: 'operators',
  verb: 'invite',
  summary: 'make a one-time set-up address for a new operator',
  description: `Prints a set-up address and its QR code. The first user who opens it becomes an operator of this server: they may name
it, choose its town and load sport centers. It works once, for 24 hours; earlier addresses of this verb stay valid. PUBLIC_URL must be set
as for the server, because the address begins with it.`,
  json: 'the address and its end',
  exit_codes: '0 made',
  async run({ database }) {
    const { PUBLIC_URL } = readEnv(process.env);
    const { url, expires_at } = await inviteOperator(database, PUBLIC_URL, new Date(), 'operator CLI');
    return {
      data: { url, expires_at },
      text: `An operator of this server.
Good for one person, until ${expires_at.toISOString()}:

${renderUnicodeCompact(url)}

${url}
`,
    };
  },
});
