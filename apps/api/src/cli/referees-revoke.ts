import { parseArgs } from 'node:util';
import { isUuidV4 } from '@sendlap/domain/ids.ts';
import { reevaluate } from '#api/modules/activities/score/review.ts';
import { createRefereeService } from '#api/modules/referees/service.ts';
import { findUserByPublicId } from '#api/modules/users/service.ts';
import { type Command, type CommandContext, EXIT_OK, EXIT_REFUSED, EXIT_USAGE } from './command.ts';

const usage = `npm run sendlap -- referees revoke <public-id> <center-id> [--reevaluate] [--since <time>] [--json]

Ends the right of an athlete to confirm activities at a sport center, from now on. What they decided before stays, and
so does what they scanned before and send later.

  --reevaluate    take back what they decided there, too: those activities lose their points and need another proof;
                  names what could not be taken back, and why
  --since <time>  with --reevaluate: only what they scanned from then on, such as 2026-11-01 or 2026-11-01T18:00:00Z
  --json          print what was done as JSON

Exit code: 0 revoked, 1 there was no such right or not everything could be taken back, 2 wrong usage.
`;

export const command: Command = {
  noun: 'referees',
  verb: 'revoke',
  summary: 'End a right to confirm activities',
  usage,
  run,
};

interface Wish {
  public_id: string;
  sport_center_id: string;
  /** From when on the right is void; undefined: from now on. */
  since: Date | undefined;
  json: boolean;
}

async function run(args: string[], { database, stdout, stderr }: CommandContext): Promise<number> {
  const wish = parse(args);
  if (typeof wish === 'string') {
    stderr.write(`${wish}\n\n${usage}`);
    return EXIT_USAGE;
  }
  const { public_id, sport_center_id, since } = wish;
  const user = await findUserByPublicId(database, public_id);
  const referees = createRefereeService(database);
  const had_right = user !== undefined && (await referees.hadRight(user.id, sport_center_id));
  const revoked = had_right ? await referees.revoke(user.id, sport_center_id, since ?? new Date()) : 0;
  // A right that ended before may still be looked at again: what was decided under it is there.
  if (!had_right || (revoked === 0 && since === undefined)) {
    stderr.write(`${public_id} has no right at this center.\n`);
    return EXIT_REFUSED;
  }
  const { withdrawn, passed_over } = since
    ? await reevaluate(database, { user_id: user.id, sport_center_id, since })
    : { withdrawn: 0, passed_over: [] };
  if (wish.json) stdout.write(`${JSON.stringify({ public_id, sport_center_id, revoked, withdrawn, passed_over })}\n`);
  else {
    stdout.write(`${public_id} is no longer a referee there.\n`);
    if (since) stdout.write(`${withdrawn} decisions were taken back.\n`);
  }
  for (const { decision_id, message } of passed_over) stderr.write(`${decision_id} stands: ${message}\n`);
  return passed_over.length === 0 ? EXIT_OK : EXIT_REFUSED;
}

/** What was asked for, or what is wrong with the words. */
function parse(args: string[]): Wish | string {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        reevaluate: { type: 'boolean', default: false },
        since: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    const [public_id, center_id] = positionals;
    if (!public_id || !isUuidV4(center_id) || positionals.length > 2) return 'Name one public id and one center id.';
    const sport_center_id = center_id.toLowerCase();
    if (values.since !== undefined && !values.reevaluate) return '--since is for --reevaluate.';
    const since = readSince(values.since);
    if (typeof since === 'string') return since;
    return { public_id, sport_center_id, since: values.reevaluate ? since : undefined, json: values.json };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Without a time: everything that there ever was. */
function readSince(text: string | undefined): Date | string {
  if (text === undefined) return new Date(0);
  const since = new Date(/^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/.test(text) ? text : Number.NaN);
  return since <= new Date() ? since : `${text} is not a time in the past.`;
}
