import { randomUUID } from 'node:crypto';
import { logout } from '@sendlap/contract/auth.ts';
import {
  createPushSubscription,
  getPushKey,
  getPushSubscription,
  removePushSubscription,
} from '@sendlap/contract/push-subscriptions.ts';
import { endSession } from '@sendlap/contract/users.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SignedIn } from '#test/app/app.ts';
import { openPushScene, type PushScene } from '#test/scenes/push-scene.ts';

let scene: PushScene;
beforeAll(async () => {
  scene = await openPushScene();
});
afterAll(() => scene.close());

const VISITOR = { headers: { authorization: '' } };

const save = (who: Pick<SignedIn, 'headers'>, body: object) =>
  scene.call(who, 'POST', createPushSubscription.path, body);
const remove = (who: Pick<SignedIn, 'headers'>, id: string) =>
  scene.call(who, 'DELETE', removePushSubscription.path.replace(':id', id));
const find = (who: Pick<SignedIn, 'headers'>, id: string) =>
  scene.call(who, 'GET', getPushSubscription.path.replace(':id', id));
const leave = ({ refresh_token }: SignedIn) =>
  scene.api.app.inject({
    method: 'POST',
    url: logout.path,
    headers: { origin: 'http://localhost:8000', 'sec-fetch-site': 'same-origin' },
    cookies: { '__Host-sendlap_refresh': refresh_token },
  });
const goodBody = () => ({ ...scene.endpoint.openBrowser().subscription, language: 'en' });
const rowsOf = ({ user }: SignedIn) =>
  scene.api.database.selectFrom('push_subscriptions').selectAll().where('user_id', '=', user.id).execute();

describe('refusals', () => {
  test('without a session there is no key, no subscription and no end of one', async () => {
    expect((await scene.call(VISITOR, 'GET', getPushKey.path)).status).toBe(401);
    expect((await save(VISITOR, goodBody())).status).toBe(401);
    expect((await remove(VISITOR, randomUUID())).status).toBe(401);
    expect((await find(VISITOR, randomUUID())).status).toBe(401);
  });

  test.each([
    'https://10.0.0.1/a',
    'https://169.254.169.254/latest',
    'https://[fd00::1]/a',
    'https://printer.local/a',
    'http://push.example.com/a',
    'https://push.example.com:8443/a',
    'javascript:alert(1)',
  ])('an endpoint that is not public changes nothing: %s', async (endpoint) => {
    const ada = await scene.api.signIn('Ada');
    expect(await save(ada, { ...goodBody(), endpoint })).toMatchObject({ status: 422, code: 'push_endpoint_refused' });
    expect(await rowsOf(ada)).toEqual([]);
  });

  test.each([
    ['p256dh', 'AAAA'],
    ['p256dh', Buffer.alloc(65, 4).toString('base64url')],
    ['p256dh', Buffer.concat([Buffer.of(2), Buffer.alloc(64, 1)]).toString('base64url')],
    ['auth', Buffer.alloc(15).toString('base64url')],
    ['auth', Buffer.alloc(17).toString('base64url')],
  ])('an invalid key changes nothing: %s %s', async (key, value) => {
    const ada = await scene.api.signIn('Ada');
    const body = goodBody();
    const reply = await save(ada, { ...body, keys: { ...body.keys, [key]: value } });
    expect(reply).toMatchObject({ status: 400, code: 'validation_failed', details: [{ path: `body/keys/${key}` }] });
    expect(await rowsOf(ada)).toEqual([]);
  });

  test('a subscription of another user stays', async () => {
    const [ada, eve] = [await scene.api.signIn('Ada'), await scene.api.signIn('Eve')];
    const { id } = await scene.subscribe(ada);
    expect((await remove(eve, id)).status).toBe(200);
    expect(await rowsOf(ada)).toHaveLength(1);
  });
});

test('every start of the server gives the same key, a point of P-256', async () => {
  const ada = await scene.api.signIn('Ada');
  const key = await scene.key(ada);
  expect(Buffer.from(key, 'base64url')).toHaveLength(65);
  const other = await openPushScene();
  const bea = await other.api.signIn('Bea');
  expect(await other.key(bea)).not.toBe(key);
  await other.close();
  expect(
    await scene.api.database.selectFrom('signing_keys').where('purpose', '=', 'push').selectAll().execute(),
  ).toHaveLength(1);
});

test('a subscription ends by its id, and a repeat changes nothing', async () => {
  const ada = await scene.api.signIn('Ada');
  const { id } = await scene.subscribe(ada);
  expect(await rowsOf(ada)).toHaveLength(1);
  for (const _ of [1, 2]) expect((await remove(ada, id)).status).toBe(200);
  expect(await rowsOf(ada)).toEqual([]);
});

test('the same endpoint again replaces the first, with new keys and language', async () => {
  const ada = await scene.api.signIn('Ada');
  const { browser, id } = await scene.subscribe(ada);
  const { keys } = scene.endpoint.openBrowser().subscription;
  const reply = await save(ada, { endpoint: browser.subscription.endpoint, keys, language: 'es' });
  expect(reply.data.id).not.toBe(id);
  expect(await rowsOf(ada)).toMatchObject([{ id: reply.data.id, p256dh: keys.p256dh, language: 'es' }]);
});

test('a browser that two people share notifies the one who subscribed last, and the first cannot end that', async () => {
  const [ada, ben] = [await scene.api.signIn('Ada'), await scene.api.signIn('Ben')];
  const { browser, id } = await scene.subscribe(ada);
  const later = await scene.subscribe(ben, browser);
  expect(await rowsOf(ada)).toEqual([]);
  await remove(ada, id);
  await remove(ada, later.id);
  expect(await rowsOf(ben)).toMatchObject([{ id: later.id, session_id: ben.session_id }]);
});

test('the eleventh browser replaces the oldest, which can find that out', async () => {
  const ada = await scene.api.signIn('Ada');
  const ids: string[] = [];
  for (let index = 0; index < 11; index += 1) ids.push((await scene.subscribe(ada)).id);
  expect((await rowsOf(ada)).map(({ id }) => id).sort()).toEqual(ids.slice(1).sort());
  const gone = { status: 404, code: 'push_subscription_not_found' };
  expect(await find(ada, ids[0] ?? '')).toMatchObject(gone);
  expect(await find(ada, ids[1] ?? '')).toMatchObject({ status: 200, data: { id: ids[1] } });
  expect(await find(await scene.api.signIn('Ben'), ids[1] ?? '')).toMatchObject(gone);
});

test('a subscription goes with the session that made it, by whatever way, and no other', async () => {
  const { api } = scene;
  for (const way of ['logout', 'ended'] as const) {
    const [ada, ben] = [await api.signIn('Ada'), await api.signIn('Ben')];
    await scene.subscribe(ada);
    await scene.subscribe(ben);
    if (way === 'ended') await scene.call(ada, 'DELETE', endSession.path.replace(':id', ada.session_id));
    else await leave(ada);
    expect([way, await rowsOf(ada)]).toEqual([way, []]);
    expect(await rowsOf(ben)).toHaveLength(1);
  }
});
