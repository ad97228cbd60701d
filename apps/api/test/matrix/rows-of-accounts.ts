import { createECDH } from 'node:crypto';
import * as auth from '@sendlap/contract/auth.ts';
import * as bio from '@sendlap/contract/bio-info.ts';
import * as devices from '@sendlap/contract/devices.ts';
import * as locations from '@sendlap/contract/locations.ts';
import * as push from '@sendlap/contract/push-subscriptions.ts';
import * as sealing from '@sendlap/contract/sealing-keys.ts';
import * as users from '@sendlap/contract/users.ts';
import { REFRESH_COOKIE } from '#api/sessions/refresh-cookies.ts';
import { createAccount } from '../accounts.ts';
import { must, type Someone, signInAs } from './callers.ts';
import type { MatrixWorld } from './matrix-world.ts';
import { anyId, fileCall, forAll, nobodys, ofAda } from './rows.ts';
import type { Call, Row } from './rules.ts';

const SAME_SITE = { 'sec-fetch-site': 'same-origin' };
/** Attempts of a sign-in are counted for any account. */
const COUNTED = { notes: ['attempt_counts'] };

const PASSWORD = 'correct horse battery';
const newEmail = () => `${anyId()}@example.org`;

/** An account of the own provider, with its e-mail address. */
async function newAccount({ api }: MatrixWorld): Promise<{ email: string; password: string }> {
  const account = { email: newEmail(), password: PASSWORD };
  await createAccount(api, { ...account, name: 'Ada' });
  return account;
}

const otherSession = async ({ api }: MatrixWorld, who: Someone) => (await signInAs(api, who)).session_id;

/** Of a session of its own. */
async function withCookie({ api }: MatrixWorld): Promise<Call> {
  const { refresh_token } = await api.signIn('Cleo');
  return { headers: { ...SAME_SITE, cookie: `${REFRESH_COOKIE}=${refresh_token}` } };
}

const signIns: Row[] = [
  forAll(auth.getAuthConfig),
  forAll(auth.authorize, ({ api }) => ({ query: { redirect_uri: `${api.url}/auth/callback` } }), {
    notes: ['sign_in_attempts'],
  }),
  nobodys(auth.completeSignIn, 'oauth_state_invalid', () => ({ body: { code: 'x', state: 'x' } })),
  // A wrong password is counted for its account.
  nobodys(auth.login, 'credentials_wrong', () => () => ({ body: { email: newEmail(), password: PASSWORD } }), COUNTED),
  nobodys(
    auth.login,
    'credentials_wrong',
    async (world) => ({ body: { ...(await newAccount(world)), password: 'battery horse correct' } }),
    { on: 'an account, with a wrong password', is_for_each: true, ...COUNTED },
  ),
  forAll(auth.login, async (world) => ({ body: await newAccount(world) })),
  forAll(auth.getMe),
  forAll(auth.refresh, withCookie),
  nobodys(auth.refresh, 'refresh_invalid', () => ({ headers: SAME_SITE })),
  nobodys(auth.refresh, 'origin_not_allowed', () => ({ headers: { origin: 'https://evil.example' } })),
  forAll(auth.logout, withCookie),
  nobodys(auth.logout, 'nothing', () => ({ headers: SAME_SITE })),
  nobodys(auth.logout, 'origin_not_allowed', () => ({ headers: { origin: 'https://evil.example' } })),
];

const sessions: Row[] = [
  forAll(users.listSessions),
  ofAda(users.endSession, { on: 'a session of Ada', others: 'session_not_found' }, async (world) => ({
    params: { id: await otherSession(world, world.owner) },
  })),
  forAll(users.endSession, async (world, who) => ({ params: { id: await otherSession(world, who) } })),
  nobodys(users.endSession, 'session_not_found', () => ({ params: { id: anyId() } })),
  forAll(users.getDeletion),
  nobodys(users.restoreMe, 'account_not_locked', () => ({}), {
    except: { suspended: 'account_suspended' },
    // Last, for its account is free then.
    may: ['leaving'],
  }),
  forAll(fileCall(users.EXPORT_PATH, 'user', { while_locked: true })),
  forAll(fileCall(users.EXPORT_ACTIVITIES_PATH, 'user', { while_locked: true })),
];

const profiles: Row[] = [
  forAll(users.getSettings),
  forAll(bio.getBioInfo, undefined, { may: ['owner'], others: 'bio_info_not_found' }),
  ofAda(
    bio.updateBioInfo,
    { on: "the version of Ada's data", others: 'bio_info_not_found' },
    async ({ api, owner }) => {
      const reply = await api.app.inject({ url: bio.getBioInfo.path, headers: owner.headers });
      return { body: { updated_at: reply.json().data.updated_at, age: 32 } };
    },
  ),
  forAll(locations.getUserLocation),
  ofAda(locations.updateUserLocation, { on: 'a position that only Ada has', others: 'location_unknown' }, () => ({
    body: { accuracy: 20 },
  })),
  forAll(locations.listPresentUsers, ({ center, elsewhere }) => ({ body: { sport_center_ids: [center, elsewhere] } })),
  nobodys(locations.listPresentUsers, 'nothing', () => ({ body: { sport_center_ids: [anyId()] } })),
];

const browsers: Row[] = [
  forAll(devices.listDevices),
  ofAda(devices.revokeDevice, { on: 'a phone of Ada', others: 'device_not_found' }, async ({ api, owner }) => {
    const body = { installation_id: anyId(), name: 'Old phone' };
    return { params: { key_id: (await must(api, owner, 'POST', devices.registerDevice.path, body)).key_id } };
  }),
  nobodys(devices.revokeDevice, 'device_not_found', () => ({ params: { key_id: anyId() } })),
  forAll(sealing.getSealingKey),
  forAll(sealing.openSeal, () => ({ body: { ephemeral_key: createECDH('prime256v1').generateKeys('base64url') } })),
  nobodys(sealing.openSeal, 'validation_failed', () => ({ body: { ephemeral_key: 'A'.repeat(87) } }), {
    on: 'a text that is no key',
  }),
  forAll(push.getPushKey),
  ofAda(push.getPushSubscription, { on: "Ada's browser", others: 'push_subscription_not_found' }, ({ circle }) => ({
    params: { id: circle.people.subscription_id },
  })),
  nobodys(push.getPushSubscription, 'push_subscription_not_found', () => ({ params: { id: anyId() } })),
  ofAda(push.removePushSubscription, { on: "Ada's browser", others: 'nothing' }, ({ circle }) => ({
    params: { id: circle.people.subscription_id },
  })),
  nobodys(push.removePushSubscription, 'nothing', () => ({ params: { id: anyId() } })),
];

export const ROWS_OF_ACCOUNTS: Row[] = [...signIns, ...sessions, ...profiles, ...browsers];
