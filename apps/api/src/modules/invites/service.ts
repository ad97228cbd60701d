import { createHash, randomInt } from 'node:crypto';
import type { Sport } from '@sendlap/domain/sports.ts';
import type { Database, Trx } from '#api/database/database.ts';
import { recordAudit } from '#api/modules/audit/service.ts';
import { AppError } from '#api/platform/errors.ts';

/** Without letters and digits that are easily confused on paper or on a terminal. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
/** 31^12 is 59 bits: far too many to guess within a day at ten tries an hour. */
const CODE_LENGTH = 12;
const LIFETIME_MS = 24 * 3_600_000;
const SEPARATORS = /[-_]/g;

/** To a right at one center. */
export interface Invitation {
  kind: 'referee' | 'kiosk' | 'manager';
  sport_center_id: string;
  /** For a referee. */
  sport_types: readonly Sport[];
  /** When the referee's right ends; null: until revoked. */
  right_until: Date | null;
}

type InviteKind = Invitation['kind'] | 'operator';

const INVITED = { kiosk: 'kiosk_invited', referee: 'referee_invited', manager: 'manager_invited' } as const;

export interface RedeemedInvite<Center = string> {
  sport_center_id: Center;
  sport_types: Sport[];
  right_until: Date | null;
  used_at: Date;
  used_by: string | null;
  /** Used up by an earlier call; the caller must find out whether that was the same request. */
  is_repeat: boolean;
}

/** Creates a one-time code, valid for 24 hours. Stores only its hash. */
export async function createInvite(
  database: Database | Trx,
  invitation: Invitation | { kind: 'operator'; granted_by: string },
  now: Date,
): Promise<{ code: string; expires_at: Date }> {
  const code = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  const expires_at = new Date(now.getTime() + LIFETIME_MS);
  await database
    .insertInto('invites')
    .values({
      sport_center_id: null,
      ...invitation,
      sport_types: 'sport_types' in invitation ? [...invitation.sport_types] : [],
      code_hash: hashOf(code),
      granted_by: 'granted_by' in invitation ? invitation.granted_by : 'operator',
      expires_at,
    })
    .execute();
  return { code, expires_at };
}

/** As `createInvite`, with a line in the audit trail. `actor_id` null: the operator CLI. */
export async function inviteToCenter(
  trx: Trx,
  invitation: Invitation,
  actor_id: string | null,
  now: Date,
): Promise<{ code: string; expires_at: Date }> {
  const { kind, sport_center_id } = invitation;
  await recordAudit(trx, { act: INVITED[kind], actor_id, details: { sport_center_id } });
  return createInvite(trx, invitation, now);
}

/**
 * Uses up a code, once: of two concurrent calls the second waits for the first, and is refused or is its repeat. Throws
 * `invite_unknown` if no invite of this kind has the code (mistyped), `invite_invalid` if the invite has expired or its
 * center is closed.
 */
export async function redeemInvite<Kind extends InviteKind>(
  trx: Trx,
  { kind, code, user_id }: { kind: Kind; code: string; user_id: string | null },
  now: Date,
): Promise<RedeemedInvite<Kind extends 'operator' ? null : string>> {
  type Redeemed = RedeemedInvite<Kind extends 'operator' ? null : string>;
  const code_hash = hashOf(normaliseCode(code));
  const columns = ['sport_center_id', 'sport_types', 'right_until', 'used_by'] as const;
  const used = await trx
    .updateTable('invites')
    .set({ used_at: now, used_by: user_id })
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sport_centers')
            .select('sport_centers.id')
            .whereRef('sport_centers.id', '=', 'invites.sport_center_id')
            .where('sport_centers.closed_at', 'is not', null),
        ),
      ),
    )
    .where('code_hash', '=', code_hash)
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(columns)
    .executeTakeFirst();
  if (used) return { ...used, used_at: now, is_repeat: false } as Redeemed;
  const before = await trx
    .selectFrom('invites')
    .select([...columns, 'used_at'])
    .where('code_hash', '=', code_hash)
    .where('kind', '=', kind)
    .executeTakeFirst();
  if (!before) throw new AppError('invite_unknown', 'No invite has this code; check it letter by letter');
  const { used_at } = before;
  if (used_at === null) throw invalidInvite();
  return { ...before, used_at, is_repeat: true } as Redeemed;
}

/** Revokes a center's unused codes; returns their number. */
export async function revokeInvites(
  executor: Database | Trx,
  { kind, sport_center_id }: Pick<Invitation, 'kind' | 'sport_center_id'>,
  now: Date,
): Promise<number> {
  const result = await executor
    .deleteFrom('invites')
    .where('kind', '=', kind)
    .where('sport_center_id', '=', sport_center_id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** Revokes the unused set-up addresses that the server printed at its starts. */
export async function revokePrintedAddresses(trx: Trx): Promise<void> {
  await trx
    .deleteFrom('invites')
    .where('kind', '=', 'operator')
    .where('granted_by', '=', 'server')
    .where('used_at', 'is', null)
    .execute();
}

/** Revokes all unused invites of every kind: those of one center, or without it of all centers. */
export async function revokeUnusedInvites(trx: Trx, sport_center_id?: string): Promise<void> {
  const unused = trx.deleteFrom('invites').where('used_at', 'is', null);
  await (sport_center_id ? unused.where('sport_center_id', '=', sport_center_id) : unused).execute();
}

/** Normalises a code as typed: capitals, with or without separators. */
export function normaliseCode(code: string): string {
  return code.toLowerCase().replaceAll(SEPARATORS, '');
}

/** Formats a code for reading: groups of four. */
export function formatCode(code: string): string {
  return code.replaceAll(/(.{4})(?=.)/g, '$1-');
}

export function invalidInvite(): AppError {
  return new AppError('invite_invalid', 'This code was used already or has expired; ask for a new one');
}

function hashOf(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}
