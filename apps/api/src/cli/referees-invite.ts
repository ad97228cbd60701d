import { parseArgs } from 'node:util';
import { addDays } from '@sendlap/domain/dates.ts';
import { encodeInviteCode, qrUrl } from '@sendlap/domain/qr-code.ts';
import type { Sport } from '@sendlap/domain/scoring.ts';
import { renderUnicodeCompact } from 'uqr';
import { readEnv } from '#api/env.ts';
import { createInvite, groupCode } from '#api/modules/invites/service.ts';
import { startOfDay } from '#api/platform/local-day.ts';
import { findOpenCenter, readCenterId, readSports } from './center.ts';
import { type Command, type CommandContext, EXIT_OK, EXIT_REFUSED, EXIT_USAGE } from './command.ts';

const usage = `npm run sendlap -- referees invite --center <center-id> [--sports <sports>] [--until <date>] [--json]

Prints a link and a QR code that make whoever opens it first a referee of the center. It works once, for 24 hours.

  --center <id>      the sport center
  --sports <sports>  climbing, swimming, or both with a comma; without it every sport of the center
  --until <date>     last day of the right, such as 2027-06-30; without it until it is revoked
  --json             print the invite as JSON

Exit code: 0 made, 1 no such center, or one that is closed or without the sport, 2 wrong usage.
`;

export const command: Command = {
  noun: 'referees',
  verb: 'invite',
  summary: 'Make a one-time link for a new referee',
  usage,
  run,
};

/** The wire tells no time after the year 2100, and every zone is still in that year a day later. */
const LAST_DAY = '2100-12-30';

interface Wish {
  center_id: string;
  sports: Sport[] | undefined;
  until: string | undefined;
  json: boolean;
}

async function run(args: string[], { database, stdout, stderr }: CommandContext): Promise<number> {
  const wish = parse(args);
  if (typeof wish === 'string') {
    stderr.write(`${wish}\n\n${usage}`);
    return EXIT_USAGE;
  }
  const refuse = (why: string) => {
    stderr.write(`${why}\n`);
    return EXIT_REFUSED;
  };
  const center = await findOpenCenter(database, wish.center_id);
  if (typeof center === 'string') return refuse(center);
  const { sports: sport_types = center.sports, until } = wish;
  const missing = sport_types.find((sport) => !center.sports.includes(sport));
  if (missing || sport_types.length === 0) return refuse(`${center.name} does not offer ${missing ?? 'any sport'}.`);
  const now = new Date();
  const right_until = until === undefined ? null : startOfDay(addDays(until, 1), center.time_zone);
  if (right_until !== null && right_until <= now) return refuse(`${until} is over at ${center.name}.`);
  const invitation = { kind: 'referee', sport_center_id: center.id, sport_types, right_until } as const;
  const { code, expires_at } = await createInvite(database, invitation, now);
  const url = qrUrl(readEnv(process.env).PUBLIC_URL, encodeInviteCode(code));
  if (wish.json) stdout.write(`${JSON.stringify({ code, url, expires_at, ...invitation })}\n`);
  else {
    stdout.write(`A referee for ${sport_types.join(' and ')} at ${center.name}.\n`);
    stdout.write(`Good for one person, until ${expires_at.toISOString()}:\n\n`);
    stdout.write(`${renderUnicodeCompact(url)}\n\n${url}\n\nCode: ${groupCode(code)}\n`);
  }
  return EXIT_OK;
}

/** What was asked for, or what is wrong with the words. */
function parse(args: string[]): Wish | string {
  try {
    const { values } = parseArgs({
      args,
      options: {
        center: { type: 'string' },
        sports: { type: 'string' },
        until: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    const center = readCenterId(values.center);
    if (typeof center === 'string') return center;
    const sports = values.sports === undefined ? undefined : readSports(values.sports);
    if (typeof sports === 'string') return sports;
    // Throws for what is no date.
    if (values.until !== undefined) addDays(values.until, 1);
    if (values.until !== undefined && values.until > LAST_DAY) return `--until takes a day until ${LAST_DAY}.`;
    return { center_id: center.id, sports, until: values.until, json: values.json };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
