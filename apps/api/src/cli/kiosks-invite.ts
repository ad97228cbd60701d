import { parseArgs } from 'node:util';
import { readEnv } from '#api/env.ts';
import { createInvite, groupCode } from '#api/modules/invites/service.ts';
import { findOpenCenter, readCenterId } from './center.ts';
import { type Command, type CommandContext, EXIT_OK, EXIT_REFUSED, EXIT_USAGE } from './command.ts';

const usage = `npm run sendlap -- kiosks invite --center <center-id> [--json]

Prints a code that makes one tablet the center's kiosk: open the address on the tablet and type the code. It works
once, for 24 hours.

  --center <id>  the sport center
  --json         print the invite as JSON

Exit code: 0 made, 1 no such center, or one that is closed, 2 wrong usage.
`;

export const command: Command = {
  noun: 'kiosks',
  verb: 'invite',
  summary: "Make a one-time code for a center's tablet",
  usage,
  run,
};

async function run(args: string[], { database, stdout, stderr }: CommandContext): Promise<number> {
  const wish = parse(args);
  if (typeof wish === 'string') {
    stderr.write(`${wish}\n\n${usage}`);
    return EXIT_USAGE;
  }
  const center = await findOpenCenter(database, wish.center_id);
  if (typeof center === 'string') {
    stderr.write(`${center}\n`);
    return EXIT_REFUSED;
  }
  const { id: sport_center_id } = center;
  const invitation = { kind: 'kiosk', sport_center_id, sport_types: [], right_until: null } as const;
  const { code, expires_at } = await createInvite(database, invitation, new Date());
  const url = `${readEnv(process.env).PUBLIC_URL}/kiosk`;
  if (wish.json) {
    stdout.write(`${JSON.stringify({ code, url, expires_at, sport_center_id })}\n`);
  } else {
    stdout.write(`A kiosk for ${center.name}. Good for one tablet, until ${expires_at.toISOString()}.\n\n`);
    stdout.write(`Open:  ${url}\nCode:  ${groupCode(code)}\n`);
  }
  return EXIT_OK;
}

/** What was asked for, or what is wrong with the words. */
function parse(args: string[]): { center_id: string; json: boolean } | string {
  try {
    const { values } = parseArgs({
      args,
      options: { center: { type: 'string' }, json: { type: 'boolean', default: false } },
    });
    const center = readCenterId(values.center);
    return typeof center === 'string' ? center : { center_id: center.id, json: values.json };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
