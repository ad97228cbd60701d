import { parseArgs } from 'node:util';
import { revokeKiosksAt } from '#api/modules/kiosks/service.ts';
import { readCenterId } from './center.ts';
import { type Command, type CommandContext, EXIT_OK, EXIT_REFUSED, EXIT_USAGE } from './command.ts';

const usage = `npm run sendlap -- kiosks revoke --center <center-id> [--json]

Ends all kiosks of a sport center and takes back the codes that were made for more, at once: what they show is no
proof any more, and their tokens open nothing.

  --center <id>  the sport center
  --json         print how many as JSON

Exit code: 0 revoked, 1 there was nothing to revoke, 2 wrong usage.
`;

export const command: Command = {
  noun: 'kiosks',
  verb: 'revoke',
  summary: 'End the kiosks of a center',
  usage,
  run,
};

async function run(args: string[], { database, stdout, stderr }: CommandContext): Promise<number> {
  const wish = parse(args);
  if (typeof wish === 'string') {
    stderr.write(`${wish}\n\n${usage}`);
    return EXIT_USAGE;
  }
  const revoked = await revokeKiosksAt(database, wish.center_id, new Date());
  if (wish.json) stdout.write(`${JSON.stringify(revoked)}\n`);
  if (revoked.kiosks + revoked.invites === 0) {
    stderr.write('There is no kiosk at this center, and no code for one.\n');
    return EXIT_REFUSED;
  }
  if (!wish.json) stdout.write(`Ended ${revoked.kiosks} kiosks and ${revoked.invites} codes for more.\n`);
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
