import { parseArgs } from 'node:util';
import { lockUser } from '#api/modules/users/deletion.ts';
import { eraseUser } from '#api/modules/users/erase-user.ts';
import { findUserByPublicId } from '#api/modules/users/service.ts';
import { DELETED_USER_ID } from '#api/platform/deleted-user.ts';
import { createEventWriter } from '#api/platform/events.ts';
import { endSessions } from '#api/platform/session-ends.ts';
import { type Command, type CommandContext, EXIT_OK, EXIT_REFUSED, EXIT_USAGE } from './command.ts';

const usage = `npm run sendlap -- users erase <public-id> [--now] [--json]

Locks an account and signs it out everywhere. It is erased after 7 days; until then its owner can undo that by signing
in. What others earned through it, as a referee, stays.

  --now    erase it at once; this can't be undone
  --json   print what was done as JSON

Exit code: 0 locked or erased, 1 no such athlete, 2 wrong usage.
`;

export const command: Command = {
  noun: 'users',
  verb: 'erase',
  summary: 'Lock an account and erase it, after 7 days or at once',
  usage,
  run,
};

async function run(args: string[], { database, stdout, stderr }: CommandContext): Promise<number> {
  const wish = parse(args);
  if (typeof wish === 'string') {
    stderr.write(`${wish}\n\n${usage}`);
    return EXIT_USAGE;
  }
  const { public_id } = wish;
  const user = await findUserByPublicId(database, public_id);
  if (!user || user.id === DELETED_USER_ID) {
    stderr.write(`There is no athlete ${public_id}.\n`);
    return EXIT_REFUSED;
  }
  const now = new Date();
  const erase_after = await lockUser(createEventWriter(database), user.id, {
    now,
    ...(wish.now ? { grace_ms: 0 } : {}),
  });
  // Only now: a session that began meanwhile is found here, or is one of a locked account.
  await database.transaction().execute((trx) => endSessions(trx, { user_id: user.id }, 'account_locked'));
  const erased = wish.now ? await eraseUser(database, user.id, now) : false;
  const done = { public_id, erased, erase_after: erased ? null : (erase_after?.toISOString() ?? null) };
  if (wish.json) stdout.write(`${JSON.stringify(done)}\n`);
  else
    stdout.write(
      erased ? `${public_id} is erased.\n` : `${public_id} is locked, and erased after ${done.erase_after}.\n`,
    );
  return EXIT_OK;
}

/** What was asked for, or what is wrong with the words. */
function parse(args: string[]): { public_id: string; now: boolean; json: boolean } | string {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { now: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
    });
    const [public_id] = positionals;
    if (!public_id || positionals.length > 1) return 'Name one public id.';
    return { public_id, ...values };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
