import { INSTALLATION_MEMORY_MS } from '@sendlap/domain/proof/fair-proof.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import { type RawBuilder, sql } from 'kysely';
import { isValidAt } from '#api/modules/referees/service.ts';
import { AppError } from '#api/platform/errors.ts';
import { parseTime } from '../record/store.ts';
import type { VerifiedScan } from './verify-scan.ts';

/** A friend may confirm once the friendship is this old. */
export const MIN_FRIENDSHIP_MS = 24 * 3_600_000;

/** An activity left running counts as presence at the center for at most this long. */
const MAX_RUNNING_TIME = sql.raw("interval '24 hours'");

/** SQL of the (latest possible) end of the activity with this alias. */
export function latestEndOf(name: string) {
  return sql`coalesce(${sql.ref(`${name}.ended_at`)}, ${sql.ref(`${name}.started_at`)} + ${MAX_RUNNING_TIME})`;
}

export type ScanMethod = 'referee' | 'peer';

/** What gives a scanner the right to decide, at the time of the scan. */
export interface ScannerRights {
  /** Sports that the scanner refereed at the center. */
  refereed_sports: Sport[];
  /** Scanner and athlete each had a valid key of one installation within the week before, used or not. */
  shares_installation: boolean;
  friends_since: Date | null;
  /** The scanner was active at the center during the athlete's activity. */
  was_there: boolean;
}

/**
 * SQL of whether two users each had a valid key of one installation since then, used or not: one that was not revoked, or
 * only later. A user who once signed in on a club's tablet shares it for a while, not for ever.
 */
export function sharesInstallation(one_id: RawBuilder<unknown>, other_id: RawBuilder<unknown>, since: Date) {
  const validSince = (device: string) => sql`coalesce(${sql.ref(`${device}.revoked_at`)}, 'infinity') >= ${since}`;
  return sql<boolean>`exists (
    select from devices one join devices other using (installation_id)
    where one.user_id = ${one_id} and other.user_id = ${other_id}
      and ${validSince('one')} and ${validSince('other')})`;
}

type RightJson = { sport_types: Sport[]; valid_from: string; valid_until: string | null; revoked_at: string | null };

export interface ScannerRightsJson {
  rights: RightJson[] | null;
  shares_installation: boolean;
  friends_since: string | null;
  was_there: boolean;
}

/** The values of `selectScannerRights`, from which it derives nothing. */
export type ScannerRightsValues = ReturnType<typeof scannerRightsValues>;

export function scannerRightsValues({ scanner_id, athlete_id, code, scanned_at }: VerifiedScan) {
  // PostgreSQL orders UUIDs as their lower-case texts.
  const [user_low = '', user_high = ''] = [scanner_id, athlete_id].sort();
  return {
    ...{ scanner_id, athlete_id, user_low, user_high },
    sport_center_id: code.sport_center_id,
    installations_since: new Date(scanned_at.getTime() - INSTALLATION_MEMORY_MS),
    code_started_at: new Date(code.started_at),
    code_ended_at: new Date(code.ended_at),
  };
}

/** SQL of the `ScannerRights`: one JSON object, `ScannerRightsJson`. */
export function selectScannerRights(values: ScannerRightsValues) {
  const { scanner_id, athlete_id, user_low, user_high, sport_center_id } = values;
  return sql`jsonb_build_object(
    'rights', (select jsonb_agg(jsonb_build_object('sport_types', sport_types, 'valid_from', valid_from,
        'valid_until', valid_until, 'revoked_at', revoked_at))
      from referees where user_id = ${scanner_id} and sport_center_id = ${sport_center_id}),
    'shares_installation', ${sharesInstallation(sql`${scanner_id}`, sql`${athlete_id}`, values.installations_since)},
    'friends_since', (select created_at from friendships where user_low = ${user_low} and user_high = ${user_high}),
    'was_there', exists (select from activities own
      where user_id = ${scanner_id} and sport_center_id = ${sport_center_id}
        and status in ('active', 'finished', 'validated')
        and started_at < ${values.code_ended_at}
        and ${latestEndOf('own')} > ${values.code_started_at}))`;
}

export function parseScannerRights(
  { rights, shares_installation, friends_since, was_there }: ScannerRightsJson,
  scanned_at: Date,
): ScannerRights {
  const refereed_sports = (rights ?? []).flatMap((right) => sportsAt(right, scanned_at));
  return { refereed_sports, shares_installation, friends_since: parseTime(friends_since), was_there };
}

function sportsAt({ sport_types, ...right }: RightJson, at: Date): Sport[] {
  const times = {
    valid_from: new Date(right.valid_from),
    valid_until: parseTime(right.valid_until),
    revoked_at: parseTime(right.revoked_at),
  };
  return isValidAt(times, at) ? sport_types : [];
}

/**
 * Returns the right by which a scan counts: that of a referee of the center, else that of a friend who was there too. A
 * referee of another sport, or of the athlete's own installation, can be such a friend. Throws `sport_not_refereed`,
 * `referee_own_installation`, `not_a_referee`, `peer_too_new`, `peer_not_there`, `peer_cannot_decide`.
 */
export function resolveScanMethod(scan: VerifiedScan, rights: ScannerRights): ScanMethod {
  const { refereed_sports, shares_installation } = rights;
  const is_referee = refereed_sports.includes(scan.code.sport_type);
  if (is_referee && !shares_installation) return 'referee';
  const peer_refusal = findPeerRefusal(scan, rights);
  if (!peer_refusal) return 'peer';
  if (is_referee) {
    throw new AppError(
      'referee_own_installation',
      'You and this athlete have used the same device; another referee can decide',
    );
  }
  if (refereed_sports.length === 0) throw peer_refusal;
  const reason = peer_refusal.code === 'not_a_referee' ? 'nor are you a friend of theirs' : peer_refusal.message;
  throw new AppError('sport_not_refereed', `You do not referee this sport here; ${reason}`);
}

function findPeerRefusal(scan: VerifiedScan, { friends_since, was_there }: ScannerRights): AppError | undefined {
  if (!friends_since) return new AppError('not_a_referee', 'You are not a referee of this center');
  if (scan.scanned_at.getTime() - friends_since.getTime() < MIN_FRIENDSHIP_MS) {
    return new AppError('peer_too_new', 'Friends can confirm each other from a day after they became friends');
  }
  if (!was_there) {
    return new AppError('peer_not_there', 'A friend can confirm when they were active here at the same time');
  }
  if (scan.op.decision === 'reject' || scan.op.adjust) {
    return new AppError('peer_cannot_decide', 'A friend can only confirm; a referee can correct or reject');
  }
  return undefined;
}
