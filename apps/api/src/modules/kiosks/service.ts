import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { getKioskBoard, listKioskKeys, pairKiosk } from '@sendlap/contract/kiosks.ts';
import type { Reply } from '@sendlap/contract/wire/endpoint.ts';
import type { Database, Trx } from '#api/database/database.ts';
import type { Secrets } from '#api/database/secrets.ts';
import { readIdempotencyKey } from '#api/http/idempotency-key.ts';
import type { Kiosk, Route } from '#api/http/route.ts';
import { recordAudit } from '#api/modules/audit/service.ts';
import { invalidInvite, normaliseCode, redeemInvite, revokeInvites } from '#api/modules/invites/service.ts';
import type { LeaderboardService } from '#api/modules/leaderboards/service.ts';
import { AppError } from '#api/platform/errors.ts';
import { hashToken } from '#api/platform/hash-token.ts';
import { getOrCreateDayKeys } from './day-keys.ts';
import { findCenter, findKioskByToken, hasKioskSeenAfter, insertKiosk, revokeKiosks, updateLastUse } from './store.ts';
import { verifyKioskCode } from './verify-kiosk-code.ts';

const TOKEN_BYTES = 32;
/** A kiosk sends a request each minute; its manager sees when it was last used. */
const LAST_USE_WRITE_INTERVAL_MS = 5 * 60_000;
/** The offline lifetime of its keys, plus the time by which the last use may be written late. */
const SEEN_WITHIN_MS = 8 * 86_400_000 + LAST_USE_WRITE_INTERVAL_MS;

export type KioskService = ReturnType<typeof createKioskService>;

interface Dependencies {
  database: Database;
  secrets: Secrets;
  leaderboards: Pick<LeaderboardService, 'getCenterBoard'>;
  now: () => Date;
}

export function createKioskService({ database, secrets, leaderboards, now }: Dependencies) {
  const makeToken = createTokenMaker(secrets);

  async function loadKeys(executor: Database | Trx, { kiosk_id, sport_center_id }: Kiosk, at: Date) {
    const center = await findCenter(executor, sport_center_id);
    const keys = await getOrCreateDayKeys(executor, secrets, { kiosk_id, time_zone: center.time_zone }, at);
    return { center, keys, now: at.toISOString() };
  }

  return {
    /**
     * Pairs a tablet by a one-time code. A repeat with the same `idempotency_key` returns the same token, because the
     * first reply may have been lost; every other attempt throws `invite_invalid`. Throws `invite_unknown` if no kiosk
     * invite has the code.
     */
    pair(code: string, idempotency_key: string | undefined): Promise<Reply<typeof pairKiosk>> {
      const token = makeToken(code, idempotency_key);
      const at = now();
      // All or nothing: a code is not used up for a tablet that got no keys.
      return database.transaction().execute(async (trx) => {
        const kiosk = await pairOnce(trx, code, hashToken(token), at);
        return { token, ...(await loadKeys(trx, kiosk, at)) };
      });
    },
    /** Returns the kiosk of a token. Throws `kiosk_unknown`, immediately after a revocation. */
    async authenticate(token: string): Promise<Kiosk> {
      const kiosk = await findKioskByToken(database, hashToken(token));
      if (!kiosk) throw new AppError('kiosk_unknown', 'This device is no longer paired as a kiosk');
      const at = now();
      if (at.getTime() - kiosk.last_used_at.getTime() > LAST_USE_WRITE_INTERVAL_MS)
        await updateLastUse(database, kiosk.id, at);
      return { kiosk_id: kiosk.id, sport_center_id: kiosk.sport_center_id };
    },
    /** The center and the keys of eight days of its zone, today's first. */
    listKeys: (kiosk: Kiosk) => loadKeys(database, kiosk, now()),
    async getBoard({ sport_center_id }: Kiosk): Promise<Reply<typeof getKioskBoard>> {
      const at = now();
      const { time_zone } = await findCenter(database, sport_center_id);
      return { ...(await leaderboards.getCenterBoard(sport_center_id, time_zone, at)), now: at.toISOString() };
    },
    /**
     * Returns the kiosk that showed a signed code, and its center. Throws `code_unreadable`, `code_kind_unsupported`,
     * `device_unknown`, `code_forged`, `venue_code_late`.
     */
    verifyCode: (executor: Database | Trx, bytes: Uint8Array, received_at: Date) =>
      verifyKioskCode(executor, secrets, bytes, received_at),
    /** Whether a kiosk of this center can show codes now. */
    hasActiveKiosk: (sport_center_id: string) =>
      hasKioskSeenAfter(database, sport_center_id, new Date(now().getTime() - SEEN_WITHIN_MS)),
  };
}

export function mountKiosks(route: Route, kiosks: KioskService): void {
  route(pairKiosk, ({ body }, _, { request }) => kiosks.pair(body.code, readIdempotencyKey(request)));
  route(listKioskKeys, (_input, kiosk) => kiosks.listKeys(kiosk));
  route(getKioskBoard, (_input, kiosk) => kiosks.getBoard(kiosk));
}

/** Revokes all kiosks of a center and its unused pairing codes; returns their numbers. `actor_id` null: the operator CLI. */
export async function revokeKiosksAt(
  database: Database,
  { sport_center_id, now }: { sport_center_id: string; now: Date },
  actor_id: string | null,
): Promise<{ kiosks: number; invites: number }> {
  return database.transaction().execute(async (trx) => {
    const invites = await revokeInvites(trx, { kind: 'kiosk', sport_center_id }, now);
    const kiosks = await revokeKiosks(trx, sport_center_id, now);
    if (kiosks + invites > 0) await recordAudit(trx, { act: 'kiosks_revoked', actor_id, details: { sport_center_id } });
    return { kiosks, invites };
  });
}

async function pairOnce(trx: Trx, code: string, token_hash: Buffer, now: Date): Promise<Kiosk> {
  const { is_repeat, sport_center_id } = await redeemInvite(trx, { kind: 'kiosk', code, user_id: null }, now);
  if (is_repeat) {
    const known = await findKioskByToken(trx, token_hash);
    if (!known) throw invalidInvite();
    return { kiosk_id: known.id, sport_center_id: known.sport_center_id };
  }
  const id = randomUUID();
  await insertKiosk(trx, { id, sport_center_id, token_hash, last_used_at: now });
  return { kiosk_id: id, sport_center_id };
}

/** With an idempotency key the token is derived from the key and the code, so that a repeat finds the same kiosk. */
function createTokenMaker(secrets: Secrets) {
  const key = secrets.derive('kiosk tokens');
  return (code: string, idempotency_key: string | undefined): string => {
    const bytes =
      idempotency_key === undefined
        ? randomBytes(TOKEN_BYTES)
        : createHmac('sha256', key)
            .update(`${normaliseCode(code)} ${idempotency_key}`)
            .digest();
    return `kiosk_${bytes.toString('base64url')}`;
  };
}
