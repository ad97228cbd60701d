import { DAY_MS } from '@sendlap/domain/durations.ts';
import { sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';

const HELD_MS = 90 * DAY_MS;
/** Enough for changing one's mind; too few to hoard good names. */
const MAX_HELD = 5;

/** Names that could impersonate the app, its staff, or its addresses. Separators do not count: "ad.min" is "admin". */
const RESERVED = new Set(
  [
    'admin administrator root system operator moderator mod staff team official security abuse postmaster webmaster',
    'support help helpdesk info contact service billing press legal privacy terms about status news feedback',
    'me you self myself friend friends user users guest anonymous anyone everyone nobody somebody unknown',
    'athlete athletes referee referees kiosk kiosks center centers sportcenter sportcenters coach judge',
    'null undefined none nil nan true false test tests example demo deleted deleteduser removed erased',
    'api app auth login logout signin signout signup register oidc oauth settings profile dashboard leaderboards ranks',
    'activities chats chat notifications badges devices events tiles search request requests pending blocks reports',
    'atleta deportista arbitro ayuda soporte administrador usuario amigo amigos yo nadie todos',
  ].flatMap((line) => line.split(' ')),
);
const APP_NAME = 'sendlap';

interface PublicIdChange {
  user_id: string;
  public_id: string;
  now: Date;
}

/**
 * Changes a user's public id. The old one is held for them for 90 days, and they may take it back. The same id again is
 * a no-op. Throws `public_id_taken` for an id that another user has or holds, or that is reserved (the same error for
 * all), `too_many_requests` while 5 old ones are held.
 */
export async function changePublicId(database: Database, { user_id, public_id, now }: PublicIdChange): Promise<void> {
  await database.transaction().execute(async (trx) => {
    const user = await trx
      .selectFrom('users')
      .select('public_id')
      .where('id', '=', user_id)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!user) throw new AppError('unauthenticated', 'This account is no longer there');
    if (user.public_id === public_id) return;
    if (isReservedPublicId(public_id)) throw publicIdTaken();
    await lockPublicIds(trx, [user.public_id, public_id]);
    await assertNotTaken(trx, { user_id, public_id, now });
    await trx.deleteFrom('held_public_ids').where('public_id', '=', public_id).execute();
    await assertHeldLimit(trx, user_id, now);
    await trx.updateTable('users').set({ public_id }).where('id', '=', user_id).execute();
    const held = { public_id: user.public_id, user_id, held_until: new Date(now.getTime() + HELD_MS) };
    await trx.insertInto('held_public_ids').values(held).execute();
  });
}

/**
 * Serialises changes per id: an id must not move between `users` and `held_public_ids` after both were checked and
 * before the write.
 */
async function lockPublicIds(trx: Trx, public_ids: string[]): Promise<void> {
  for (const key of public_ids.map((id) => `public id ${id}`).sort()) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx);
  }
}

async function assertNotTaken(trx: Trx, { user_id, public_id, now }: PublicIdChange): Promise<void> {
  const owner = await trx.selectFrom('users').select('id').where('public_id', '=', public_id).executeTakeFirst();
  const holder = await trx
    .selectFrom('held_public_ids')
    .select('user_id')
    .where('public_id', '=', public_id)
    .where('held_until', '>', now)
    .where('user_id', '!=', user_id)
    .executeTakeFirst();
  if (owner || holder) throw publicIdTaken();
}

async function assertHeldLimit(trx: Trx, user_id: string, now: Date): Promise<void> {
  await trx.deleteFrom('held_public_ids').where('user_id', '=', user_id).where('held_until', '<=', now).execute();
  const held = await trx
    .selectFrom('held_public_ids')
    .select('held_until')
    .where('user_id', '=', user_id)
    .orderBy('held_until')
    .execute();
  const next_free_at = held.at(-MAX_HELD)?.held_until;
  if (!next_free_at) return;
  throw new AppError('too_many_requests', 'You changed your public id often lately; take an old one back, or wait', {
    retry_after_s: Math.ceil((next_free_at.getTime() - now.getTime()) / 1000),
  });
}

function publicIdTaken(): AppError {
  return new AppError('public_id_taken', 'This public id is taken');
}

/** Whether a well-formed id is still not allowed: reserved, containing our name, or made of separators only. */
function isReservedPublicId(public_id: string): boolean {
  const letters = public_id.replaceAll(/[_.-]/g, '');
  return letters === '' || letters.includes(APP_NAME) || RESERVED.has(letters);
}
