import { createHash } from 'node:crypto';
import type { Op } from '@sendlap/contract/activities.ts';
import type { Sport } from '@sendlap/domain/scoring.ts';
import { sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';
import { PREPARED } from '#api/database/statement-pipeline.ts';
import type { Tables } from '#api/database/tables.ts';
import { isValidAt } from '#api/modules/referees/service.ts';
import type { Outcome } from '../record/refusals.ts';
import {
  type ActivityCase,
  type ActivityKey,
  type JsonCase,
  type Reach,
  readCase,
  readOne,
  readTime,
  selectCase,
} from '../record/store.ts';

/** An op as sent by this user. */
export interface SentOp {
  user_id: string;
  op: Op;
  body_hash: Buffer;
}

export interface StoredOutcome extends Outcome {
  body_hash: Buffer;
  activity_id: string;
}

/** Hash that identifies a request: every field, in a fixed order. */
export function hashOf(request: object): Buffer {
  const text = JSON.stringify(request, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
  return createHash('sha256').update(text).digest();
}

export async function findOutcome(
  database: Database | Trx,
  user_id: string,
  op_id: string,
): Promise<StoredOutcome | undefined> {
  return database
    .selectFrom('activity_ops')
    .select(['outcome', 'code', 'message', 'body_hash', 'activity_id'])
    .where('user_id', '=', user_id)
    .where('op_id', '=', op_id)
    .executeTakeFirst();
}

/** Stores the outcome of a scan that waited. */
export async function updateOutcome(trx: Trx, user_id: string, op_id: string, outcome: Outcome): Promise<void> {
  const { outcome: word, code, message } = outcome;
  await trx
    .updateTable('activity_ops')
    .set({ outcome: word, code, message })
    .where('user_id', '=', user_id)
    .where('op_id', '=', op_id)
    .execute();
}

/** All data an op is decided by, read in one statement under the lock. */
export interface Gathered extends ActivityCase {
  known: StoredOutcome | undefined;
  /** Whether others' scans wait for this activity's own ops. */
  is_awaited: boolean;
  /** Scans the user sent within the last hour, regardless of outcome; 0 for other ops. */
  recent_scans: number;
  /** Sports the user refereed at the center at that moment. */
  refereed_sports: Sport[];
  /** The athlete's device that made the code. */
  device: { revoked_at: Date | null; last_used_at: Date } | undefined;
}

type RightJson = { sport_types: Sport[]; valid_from: string; valid_until: string | null; revoked_at: string | null };

interface GatheredRow extends JsonCase {
  known: { outcome: Outcome['outcome']; code: string | null; message: string | null; hash: string; id: string } | null;
  is_awaited: boolean;
  recent_scans: number;
  rights: RightJson[] | null;
  device: { revoked_at: string | null; last_used_at: string } | null;
}

/** `place`: where and when the scan was made, and by which device's key. */
export async function gather(
  trx: Trx,
  key: ActivityKey,
  { user_id, op_id }: Pick<Tables['activity_ops'], 'user_id' | 'op_id'>,
  reach: Reach,
  place?: { sport_center_id: string; at: Date; key_id: string },
): Promise<Gathered> {
  const query = sql<GatheredRow>`${PREPARED}
    select ${selectCase(key, reach)},
      (select jsonb_build_object('outcome', outcome, 'code', code, 'message', message, 'id', activity_id,
          'hash', encode(body_hash, 'hex'))
        from activity_ops where user_id = ${user_id} and op_id = ${op_id}) as known,
      exists (select from waiting_scans
        where athlete_id = ${key.athlete_id} and activity_id = ${key.activity_id}) as is_awaited,
      (select count(*) from activity_ops
        where user_id = ${user_id} and kind = 'scan' and received_at > now() - interval '1 hour')::int as recent_scans,
      (select jsonb_agg(jsonb_build_object('sport_types', sport_types, 'valid_from', valid_from,
          'valid_until', valid_until, 'revoked_at', revoked_at))
        from referees where user_id = ${user_id} and sport_center_id = ${place?.sport_center_id ?? null}) as rights,
      (select jsonb_build_object('revoked_at', revoked_at, 'last_used_at', last_used_at)
        from devices where id = ${place?.key_id ?? null}) as device
  `;
  const found = await readOne(trx, query);
  const { known, device } = found;
  return {
    ...readCase(found),
    known: known ? { ...known, body_hash: Buffer.from(known.hash, 'hex'), activity_id: known.id } : undefined,
    is_awaited: found.is_awaited,
    recent_scans: found.recent_scans,
    device: device
      ? { revoked_at: readTime(device.revoked_at), last_used_at: new Date(device.last_used_at) }
      : undefined,
    refereed_sports: place ? (found.rights ?? []).flatMap((right) => sportsAt(right, place.at)) : [],
  };
}

function sportsAt({ sport_types, ...right }: RightJson, at: Date): Sport[] {
  const times = {
    valid_from: new Date(right.valid_from),
    valid_until: readTime(right.valid_until),
    revoked_at: readTime(right.revoked_at),
  };
  return isValidAt(times, at) ? sport_types : [];
}
