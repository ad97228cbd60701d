import { randomUUID } from 'node:crypto';
import { createPushSubscription } from '@sendlap/contract/push-subscriptions.ts';
import { updateSettings } from '@sendlap/contract/users.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#test/app/app.ts';
import { createMovedTimer } from '#test/moved-timer.ts';
import { type PushBrowser, type PushEndpoint, startPushEndpoint } from '#test/push-endpoint.ts';
import { EVERYTHING, pushArrival } from '#test/scenes/push-scene.ts';
import { makeClimb, ScanScene } from '#test/scenes/scan-scene.ts';

let scene: ScanScene;
let endpoint: PushEndpoint;
const timer = createMovedTimer();
beforeAll(async () => {
  endpoint = await startPushEndpoint();
  scene = await ScanScene.open({ timer, env: { PUSH_ALLOW_LOCAL: '1' } });
});
beforeEach(() => scene.renew());
afterAll(async () => {
  await scene.api.close();
  await endpoint.close();
});

async function subscribe(who: SignedIn): Promise<PushBrowser> {
  const browser = endpoint.openBrowser();
  const reply = await scene.post(who, createPushSubscription.path, { ...browser.subscription, language: 'en' });
  expect(reply.status).toBe(201);
  return browser;
}

const choose = (who: SignedIn, choices: object) =>
  scene.api.app.inject({
    method: 'PATCH',
    url: updateSettings.path,
    headers: who.headers,
    payload: { notifications: { ...EVERYTHING, ...choices } },
  });
const arrival = (browser: PushBrowser, count: number) => pushArrival({ endpoint, timer }, browser, count);

test('the athlete gets one push about a confirmation, with the center only if they want it', async () => {
  const athletes = await subscribe(scene.athlete);
  const referees = await subscribe(scene.referee);
  const [first, second] = [makeClimb(90, 1), makeClimb(60, 120)];
  for (const climb of [first, second]) await scene.record(climb);
  expect((await scene.validate(scene.referee, scene.codeOf(first).payload)).status).toBe(200);
  await arrival(athletes, 1);
  await choose(scene.athlete, { show_text: true });
  // Both share the day's cap, so the first activity changes again, which is not news.
  expect((await scene.validate(scene.referee, scene.codeOf(second).payload)).status).toBe(200);
  await arrival(athletes, 2);
  expect(endpoint.readAll(athletes)).toMatchObject([
    { kind: 'activity_validated', activity_id: first.client_id, center: null, points: 355 },
    { kind: 'activity_validated', activity_id: second.client_id, center: expect.stringMatching(/^Polideportivo/) },
  ]);
  expect(endpoint.readAll(referees)).toEqual([]);
});

test('the athlete gets a push about a confirmation recorded offline when their phone has sent the activity', async () => {
  const athletes = await subscribe(scene.athlete);
  const climb = makeClimb(60, 1);
  // The referee's scan arrives first, and waits.
  const { data } = await scene.scanAt(scene.referee, climb, Date.now());
  expect(data).toMatchObject({ outcome: 'waiting' });
  await scene.record(climb);
  await arrival(athletes, 1);
  expect(endpoint.readAll(athletes)).toMatchObject([{ kind: 'activity_validated', activity_id: climb.client_id }]);
});

test('a push about a rejection has no reason, and is not sent to athletes who want no news of proofs', async () => {
  const athletes = await subscribe(scene.athlete);
  const [quiet, loud] = [makeClimb(60, 120), makeClimb(60, 1)];
  for (const climb of [quiet, loud]) await scene.record(climb);
  const because = { decision: 'reject', reason: 'You were not there' };
  await choose(scene.athlete, { proofs: false });
  expect((await scene.validate(scene.referee, scene.codeOf(quiet).payload, because)).status).toBe(200);
  // A later event is announced, so the earlier ones have been processed.
  await scene.post(scene.referee, '/v1/friends/request', { receiver_public_id: scene.athlete.user.public_id });
  await arrival(athletes, 1);
  await choose(scene.athlete, { proofs: true });
  expect((await scene.validate(scene.referee, scene.codeOf(loud).payload, because)).status).toBe(200);
  await arrival(athletes, 2);
  expect(endpoint.readAll(athletes)).toMatchObject([
    { kind: 'friend_request' },
    { kind: 'activity_rejected', activity_id: loud.client_id },
  ]);
  expect(JSON.stringify(endpoint.readAll(athletes))).not.toContain('You were not there');
});

test('an activity of another athlete with the same id hides no push: each gets their own', async () => {
  const mal = await scene.api.signIn('Mal');
  const phone = (await scene.post(mal, '/v1/devices', { installation_id: randomUUID(), name: 'Phone' })).data;
  const [athletes, others] = [await subscribe(scene.athlete), await subscribe(mal)];
  const climb = makeClimb(60, 1);
  for (const who of [scene.athlete, mal]) await scene.record(climb, who);
  const own = { public_id: mal.user.public_id, display_name: mal.user.name, key_id: phone.key_id };
  const rejection = { decision: 'reject', reason: 'You were not there' };
  const rejected = await scene.validate(scene.referee, scene.codeOf(climb, own, phone.key).payload, rejection);
  expect(rejected.status).toBe(200);
  expect((await scene.validate(scene.referee, scene.codeOf(climb).payload)).status).toBe(200);
  for (const browser of [athletes, others]) await arrival(browser, 1);
  expect(endpoint.readAll(athletes)).toMatchObject([{ kind: 'activity_validated', activity_id: climb.client_id }]);
  expect(endpoint.readAll(others)).toMatchObject([{ kind: 'activity_rejected', activity_id: climb.client_id }]);
});
