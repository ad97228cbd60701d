import {
  CALLER_NAMES,
  CALLERS,
  type CallerName,
  grant,
  pair,
  type Someone,
  signIn,
  signInAs,
} from '../matrix/callers.ts';
import type { MatrixWorld } from '../matrix/matrix-world.ts';
import type { FuzzedRequest, Target } from './requests.ts';

export const USERS = CALLER_NAMES.filter((name) => CALLERS[name] === 'user');

interface Refused {
  target: Target;
  request: FuzzedRequest;
  caller: CallerName;
  code: string;
}

/** Requests also end sessions, accounts, rights and kiosks: the caller signs in again, or is paired again. */
export async function restoreCaller(world: MatrixWorld, { target, request, caller, code }: Refused): Promise<void> {
  const { api, circle, center } = world;
  if (request.headers.authorization) return;
  if (caller === 'kiosk' && code === 'kiosk_unknown') {
    circle.headers.kiosk = { authorization: `Bearer ${await pair(api, center)}` };
    return;
  }
  const is_out = code === 'unauthenticated' || code === 'account_locked';
  const has_lost = (code === 'not_an_operator' || code === 'not_a_manager') && target.access !== 'user';
  if (!(is_out || has_lost) || CALLERS[caller] !== 'user') return;
  const who = is_out ? await signInAgain(world, caller) : world.of(caller);
  const user_id = who.user.id;
  const { database } = api;
  if (caller === 'operator')
    await database
      .insertInto('operators')
      .values({ user_id })
      .onConflict((by) => by.doNothing())
      .execute();
  if (caller === 'manager')
    await database
      .insertInto('managers')
      .values({ user_id, sport_center_id: center })
      .onConflict((by) => by.doNothing())
      .execute();
  if (caller === 'referee' && is_out) await grant(api, user_id, center);
}

/** Unlocks the caller's account and signs it in; a new user takes the place of an erased one. */
async function signInAgain(world: MatrixWorld, caller: CallerName): Promise<Someone> {
  const { api, circle } = world;
  const before = world.of(caller);
  const unlocked = { is_active: true, erase_after: null, suspended_at: null };
  const account = api.database.updateTable('users').set(unlocked).where('id', '=', before.user.id);
  const { numUpdatedRows } = await account.executeTakeFirstOrThrow();
  const who = numUpdatedRows > 0n ? await signInAs(api, before) : await signIn(api, `Caller ${caller}`);
  circle.accounts.set(caller, who);
  circle.headers[caller] = who.headers;
  // The end of a session revokes its phones.
  const phones = api.database.updateTable('devices').where('id', '=', world.device.key_id);
  if (caller === 'owner') await phones.set({ revoked_at: null, session_id: who.session_id }).execute();
  return who;
}
