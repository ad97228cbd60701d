import { createECDH, randomBytes } from 'node:crypto';
import * as auth from '@sendlap/contract/auth.ts';
import * as bio from '@sendlap/contract/bio-info.ts';
import * as devices from '@sendlap/contract/devices.ts';
import { EVENTS_PATH } from '@sendlap/contract/events.ts';
import * as locations from '@sendlap/contract/locations.ts';
import * as push from '@sendlap/contract/push-subscriptions.ts';
import * as sealing from '@sendlap/contract/sealing-keys.ts';
import * as users from '@sendlap/contract/users.ts';
import { REFRESH_COOKIE } from '#api/sessions/refresh-cookies.ts';
import { createSessions } from '#api/sessions/sessions.ts';
import { createAccount } from '../accounts.ts';
import { CALLER_NAMES, CALLERS, must } from './callers.ts';
import type { MatrixWorld } from './matrix-world.ts';
import { anyId, change, fileCall, forAll, nobodys, ofAda } from './rows.ts';
import type { Call, Row } from './rules.ts';

const BODY_DATA = { age: 30, weight_kg: 60, height_cm: 170 };
const WITHOUT_SESSION = CALLER_NAMES.filter((name) => CALLERS[name] !== 'user');
const SIGN_IN = { email: 'nobody@example.org', password: 'correct horse battery' };
const SAME_SITE = { 'sec-fetch-site': 'same-origin' };
/** Attempts of a sign-in are counted for any account. */
const COUNTED = { notes: ['attempt_counts'] };

function publicPoint(): string {
  return createECDH('prime256v1').generateKeys('base64url');
}

async function saveBodyData({ api, spare }: MatrixWorld): Promise<{ updated_at: string }> {
  await must(api, spare, 'DELETE', bio.deleteBioInfo.path);
  return await must(api, spare, 'POST', bio.saveBioInfo.path, BODY_DATA);
}

async function otherSession({ api, owner }: MatrixWorld): Promise<string> {
  return (await createSessions(api).create(owner.user.id, 'Tablet')).session_id;
}

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
  nobodys(auth.login, 'credentials_wrong', () => ({ body: SIGN_IN }), {
    ...COUNTED,
    callers: ['without a token', 'stranger', 'operator'],
  }),
  forAll(
    auth.login,
    async ({ api }) => {
      const account = { ...SIGN_IN, email: `${anyId()}@example.org` };
      await createAccount(api, { ...account, name: 'Ada' });
      return { body: account };
    },
    { callers: ['without a token'] },
  ),
  forAll(auth.getMe),
  forAll(auth.refresh, withCookie, { callers: ['without a token'] }),
  nobodys(auth.refresh, 'refresh_invalid', () => ({ headers: SAME_SITE })),
  nobodys(auth.refresh, 'origin_not_allowed', () => ({ headers: { origin: 'https://evil.example' } })),
  forAll(auth.logout, withCookie, { callers: ['without a token'] }),
  nobodys(auth.logout, 'nothing', () => ({ headers: SAME_SITE })),
  nobodys(auth.logout, 'origin_not_allowed', () => ({ headers: { origin: 'https://evil.example' } })),
];

const sessions: Row[] = [
  forAll(users.listSessions),
  ofAda(users.endSession, { on: 'a session of Ada', others: 'session_not_found' }, async (world) => ({
    params: { id: await otherSession(world) },
  })),
  nobodys(users.endSession, 'session_not_found', () => ({ params: { id: anyId() } })),
  change(users.endAllSessions),
  forAll(users.getDeletion),
  change(users.deleteMe),
  nobodys(users.restoreMe, 'account_not_locked', () => ({}), {
    except: { suspended: 'account_suspended' },
    // Last, for its account is free then.
    may: ['leaving'],
  }),
  forAll(fileCall(users.EXPORT_PATH, 'user', { while_locked: true })),
  forAll(fileCall(users.EXPORT_ACTIVITIES_PATH, 'user', { while_locked: true })),
  // For a live session it never ends; apps/api/src/http/streams has its tests.
  forAll(fileCall(EVENTS_PATH, 'user'), undefined, { callers: WITHOUT_SESSION }),
];

const profiles: Row[] = [
  forAll(users.getSettings),
  change(users.updateSettings, () => ({ body: { display_name: 'Spare' } })),
  forAll(bio.getBioInfo, undefined, { may: ['owner'], others: 'bio_info_not_found' }),
  change(bio.saveBioInfo, () => ({ body: BODY_DATA })),
  change(bio.updateBioInfo, async (world) => {
    const { updated_at } = await saveBodyData(world);
    return { body: { updated_at, age: 31 } };
  }),
  change(bio.deleteBioInfo, async (world) => {
    await saveBodyData(world);
    return {};
  }),
  forAll(locations.getUserLocation),
  change(locations.saveUserLocation, () => ({ body: { latitude: 43, longitude: -2 } })),
  change(locations.updateUserLocation, async ({ api, spare }) => {
    await must(api, spare, 'POST', locations.saveUserLocation.path, { latitude: 43, longitude: -2 });
    return { body: { latitude: 43.1, longitude: -2 } };
  }),
  forAll(locations.listPresentUsers, ({ center, elsewhere }) => ({ body: { sport_center_ids: [center, elsewhere] } })),
];

const browsers: Row[] = [
  forAll(devices.listDevices),
  change(devices.registerDevice, () => ({ body: { installation_id: anyId(), name: 'Phone' } })),
  ofAda(devices.revokeDevice, { on: 'a phone of Ada', others: 'device_not_found' }, async ({ api, owner }) => {
    const body = { installation_id: anyId(), name: 'Old phone' };
    return { params: { key_id: (await must(api, owner, 'POST', devices.registerDevice.path, body)).key_id } };
  }),
  nobodys(devices.revokeDevice, 'device_not_found', () => ({ params: { key_id: anyId() } })),
  forAll(sealing.getSealingKey),
  forAll(sealing.openSeal, () => ({ body: { ephemeral_key: publicPoint() } })),
  forAll(push.getPushKey),
  change(push.createPushSubscription, () => ({
    body: {
      endpoint: `http://localhost:9/${anyId()}`,
      keys: { p256dh: publicPoint(), auth: randomBytes(16).toString('base64url') },
      language: 'en',
    },
  })),
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
