import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { addDays } from '@sendlap/domain/dates.ts';
import { encodeInviteCode, qrUrl } from '@sendlap/domain/qr-code.ts';
import { SPORTS } from '@sendlap/domain/sports.ts';
import { renderUnicodeCompact } from 'uqr';
import { formatCode, inviteToCenter } from '#api/modules/invites/service.ts';
import { readEnv } from '#api/platform/env.ts';
import { startOfDay } from '#api/platform/local-day.ts';
import { findOpenCenter, parseCenterId, parseSports } from './center.ts';
import { defineCommand, RefusedError } from './command.ts';

/** The contract has no time after the year 2100, and every zone is still in that year a day later. */
const LAST_DAY = '2100-12-30';

export const command = defineCommand({
  noun: 'referees',
  verb: 'invite',
  summary: 'make a one-time link for a new referee',
  description: `Prints a link and a QR code. The first user who opens it becomes a referee of the center. It works once, for 24 hours.`,
  json: 'the invite',
  exit_codes: '0 made, 1 no such center, it is closed or does not offer the sport, or the last day is over',
  declare: () =>
    new Command()
      .requiredOption('--center <center-id>', 'the sport center', parseCenterId)
      .option(
        '--sports <sports>',
        `${SPORTS.join(', ')}, or several with commas; without it every sport of the center`,
        parseSports,
      )
      .option('--until <date>', 'last day of the right, such as 2027-06-30; without it until it is revoked', parseDay),
  async run({ database }, { center: center_id, sports, until }) {
    const center = await findOpenCenter(database, center_id);
    const sport_types = sports ?? center.sports;
    const missing = sport_types.find((sport) => !center.sports.includes(sport));
    if (missing || sport_types.length === 0)
      throw new RefusedError(`${center.name} does not offer ${missing ?? 'any sport'}.`);
    const now = new Date();
    const right_until = until === undefined ? null : startOfDay(addDays(until, 1), center.time_zone);
    if (right_until !== null && right_until <= now) throw new RefusedError(`${until} is over at ${center.name}.`);
    const invitation = { kind: 'referee', sport_center_id: center.id, sport_types, right_until } as const;
    const { code, expires_at } = await database
      .transaction()
      .execute((trx) => inviteToCenter(trx, invitation, null, now));
    const url = qrUrl(readEnv(process.env).PUBLIC_URL, encodeInviteCode(code));
    return {
      data: { code, url, expires_at, ...invitation },
      text: `A referee for ${sport_types.join(' and ')} at ${center.name}.
Good for one person, until ${expires_at.toISOString()}:

${renderUnicodeCompact(url)}

${url}

Code: ${formatCode(code)}
`,
    };
  },
});

function parseDay(text: string): string {
  try {
    addDays(text, 1);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
  if (text > LAST_DAY) throw new InvalidArgumentError(`It takes a day until ${LAST_DAY}.`);
  return text;
}
