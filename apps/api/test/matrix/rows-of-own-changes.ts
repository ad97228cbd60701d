import { createECDH, randomBytes } from 'node:crypto';
import { type Op, startActivity, syncActivities } from '@sendlap/contract/activities.ts';
import * as bio from '@sendlap/contract/bio-info.ts';
import { requestClaim } from '@sendlap/contract/center-management/claims.ts';
import { registerDevice } from '@sendlap/contract/devices.ts';
import * as friends from '@sendlap/contract/friends.ts';
import * as locations from '@sendlap/contract/locations.ts';
import { createPushSubscription } from '@sendlap/contract/push-subscriptions.ts';
import * as users from '@sendlap/contract/users.ts';
import { CALLER_NAMES, CALLERS, must, type Someone } from './callers.ts';
import type { MatrixWorld } from './matrix-world.ts';
import { anyId, change, nobodys, ofAda } from './rows.ts';
import { REDEEMED } from './rows-of-invites.ts';
import { KEPT } from './rows-of-training.ts';
import type { Call, Row } from './rules.ts';

const BODY_DATA = { age: 30, weight_kg: 60, height_cm: 170 };
const USERS = CALLER_NAMES.filter((name) => CALLERS[name] === 'user');
const HERE = { latitude: 43, longitude: -2 };
/** A moment that no earlier activity has. */
const SHORT_MS = 100;

/** A start by a user whose running activity has ended. */
async function newStart(world: MatrixWorld, who: Someone) {
  await world.endRunning(who);
  return { client_id: anyId(), ...world.startBody(Date.now() - SHORT_MS) };
}

/** Ids of activities and ops are each athlete's own: to another one, those of Ada say nothing. */
const OF_ADA = { may: 'everyone', others: 'ok', may_touch_ada: [], ...KEPT } as const;
const IDS = [
  ['client_id', 'conflict'],
  ['op_id', 'idempotency_mismatch'],
] as const;

async function startAgain(world: MatrixWorld, who: Someone, name: 'client_id' | 'op_id') {
  await world.endRunning(world.owner);
  const before = await world.finished();
  return { ...(await newStart(world, who)), [name]: before[name] };
}

const queued = (start: object): Call => ({ body: { ops: [{ kind: 'start', ...start } as Op] } });

const starts: Row[] = [
  change(startActivity, async (world, who) => ({ body: await newStart(world, who) })),
  change(startActivity, async (world, who) => ({ body: { ...(await newStart(world, who)), intensity: 'easy' } }), {
    on: 'their own, with its intensity',
  }),
  change(syncActivities, async (world, who) => queued(await newStart(world, who)), { on: 'their own, start' }),
  ...IDS.flatMap(([name, owner]) => [
    ofAda(startActivity, { ...OF_ADA, on: `the ${name} of Ada`, except: { owner } }, async (world, who) => ({
      body: await startAgain(world, who, name),
    })),
    ofAda(syncActivities, { ...OF_ADA, on: `the ${name} of Ada, start`, except: { owner } }, async (world, who) =>
      queued(await startAgain(world, who, name)),
    ),
  ]),
];

const browserOf = (endpoint: string) => ({
  endpoint,
  keys: { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: randomBytes(16).toString('base64url') },
  language: 'en',
});
const newAddress = () => `http://localhost:9/${anyId()}`;

/** Two users may share a phone or a browser: a phone has a key for each, a browser notifies the one who subscribed last. */
const browsers: Row[] = [
  change(registerDevice, () => ({ body: { installation_id: anyId(), name: 'Phone' } })),
  change(
    registerDevice,
    ({ canaries }) => ({ body: { installation_id: canaries['owner installation'], name: 'Tablet' } }),
    { on: "Ada's phone" },
  ),
  change(createPushSubscription, () => ({ body: browserOf(newAddress()) })),
  change(
    createPushSubscription,
    async ({ api, owner: { user, session_id } }) => {
      const row = { id: anyId(), user_id: user.id, session_id, p256dh: 'AAAA', auth: 'AAAA', endpoint: newAddress() };
      await api.database.insertInto('push_subscriptions').values(row).execute();
      return { body: browserOf(row.endpoint) };
    },
    { on: "Ada's browser", may_touch_ada: ['push_subscriptions'] },
  ),
];

async function saveBodyData({ api }: MatrixWorld, who: Someone, data: object = BODY_DATA) {
  await must(api, who, 'DELETE', bio.deleteBioInfo.path);
  return (await must(api, who, 'POST', bio.saveBioInfo.path, data)) as { updated_at: string };
}

const profiles: Row[] = [
  change(users.updateSettings, () => ({ body: { presence: true, boards: true } }), { on: 'their own, switched on' }),
  change(users.updateSettings, () => ({ body: { presence: false, notifications: { messages: false } } }), {
    on: 'their own, switched off',
  }),
  ...(['presence', 'boards'] as const).map((name) =>
    nobodys(
      users.updateSettings,
      `${name}_not_allowed`,
      async (world, who) => {
        await saveBodyData(world, who, { ...BODY_DATA, age: 15 });
        return { body: { [name]: true } };
      },
      { on: `${name} of one who is 15`, is_for_each: true, callers: USERS },
    ),
  ),
  change(bio.saveBioInfo, async ({ api }, who) => {
    await must(api, who, 'DELETE', bio.deleteBioInfo.path);
    return { body: BODY_DATA };
  }),
  change(
    bio.saveBioInfo,
    async ({ api }, who) => {
      await must(api, who, 'DELETE', bio.deleteBioInfo.path);
      return { body: { ...BODY_DATA, age: 41, male: true } };
    },
    { on: 'their own, with the sex' },
  ),
  change(bio.updateBioInfo, async (world, who) => {
    const { updated_at } = await saveBodyData(world, who);
    return { body: { updated_at, age: 31 } };
  }),
  change(bio.deleteBioInfo, async (world, who) => {
    await saveBodyData(world, who);
    return {};
  }),
  change(locations.saveUserLocation, ({ center }) => ({ body: { ...HERE, sport_center_id: center } })),
  change(
    locations.saveUserLocation,
    () => ({ body: { latitude: 43.26, longitude: -2.93, accuracy: 20, sport_center_id: anyId() } }),
    { on: 'their own, at a center that does not exist' },
  ),
  change(locations.updateUserLocation, async ({ api, center }, who) => {
    await must(api, who, 'POST', locations.saveUserLocation.path, HERE);
    return { body: { latitude: 43.1, longitude: -2, sport_center_id: center } };
  }),
];

const others: Row[] = [
  change(friends.blockUser, async (world) => ({ body: { user_id: (await world.someone('Dan')).user.id } }), {
    on: 'a stranger to them',
  }),
  change(requestClaim, ({ center }) => ({ params: { id: center }, body: { message: 'I run the pool' } })),
];

const publicIdOf = (public_id: string): Call => ({ body: { public_id } });

async function formerIdOf({ api, owner: { user } }: MatrixWorld): Promise<Call> {
  const held = { public_id: `old-${anyId().slice(0, 8)}`, user_id: user.id };
  const held_until = new Date(Date.now() + 86_400_000);
  await api.database
    .insertInto('held_public_ids')
    .values({ ...held, held_until })
    .execute();
  return publicIdOf(held.public_id);
}

const publicIds: Row[] = [
  nobodys(friends.changePublicId, 'public_id_taken', () => publicIdOf('admin'), { on: 'a reserved id' }),
  ofAda(
    friends.changePublicId,
    { on: "Ada's public id", may: [], others: 'public_id_taken', except: { owner: 'nothing' } },
    ({ owner }) => publicIdOf(owner.user.public_id),
  ),
  ofAda(friends.changePublicId, { on: 'a former public id of Ada', others: 'public_id_taken' }, formerIdOf),
  change(friends.changePublicId, () => publicIdOf(`spare-${anyId().slice(0, 8)}`)),
];

export const OWN_CHANGES: Row[] = [...starts, ...browsers, ...profiles, ...others];

/** What comes after these finds other names, rights, sessions and accounts. */
export const LAST_CHANGES: Row[] = [
  change(users.updateSettings, () => ({ body: { display_name: 'Spare' } }), { on: 'their own, a name' }),
  ...publicIds,
  ...REDEEMED,
  change(users.endAllSessions),
  change(users.deleteMe, async (world, who) => {
    await world.signInAgain(who);
    return {};
  }),
];
