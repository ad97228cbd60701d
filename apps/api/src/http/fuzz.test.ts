import { expect, onTestFinished, test } from 'vitest';
import { findUnaccepted, findUncalled } from '#test/fuzz/never-accepted.ts';
import { playRequests } from '#test/fuzz/play-requests.ts';
import { must } from '#test/matrix/callers.ts';
import { MatrixWorld } from '#test/matrix/matrix-world.ts';

async function openWorld(): Promise<MatrixWorld> {
  const world = await MatrixWorld.open();
  onTestFinished(() => world.close());
  return world;
}

/** A few; `npm run faults -- fuzz` sends 24,000. */
test('a broken request is answered as the contract says, and changes nothing when it is refused', async () => {
  const { problems, accepted, sent } = await playRequests(await openWorld(), { seed: 1, requests: 150 });
  expect(problems).toEqual([]);
  expect(sent).toBe(150);
  expect(accepted).toBeGreaterThan(10);
});

test('operations that need a live code, cookie or file accept requests that the matrix prepares', async () => {
  const only = [
    'POST /v1/activities/validate',
    'POST /v1/activities/:client_id/withdraw',
    'POST /v1/referees/invites/redeem',
    'POST /v1/auth/refresh',
    'POST /v1/auth/logout',
    'GET /v1/events',
    'GET /v1/users/me/export',
    'POST /oidc/interaction/:uid/sign-in',
  ];
  const { problems, operations } = await playRequests(await openWorld(), { seed: 1, requests: 40 * only.length, only });
  expect(problems).toEqual([]);
  expect(Object.keys(operations).sort()).toEqual([...only].sort());
  expect(Object.entries(operations).filter(([, { accepted }]) => accepted === 0)).toEqual([]);
});

test('an operation that got no request, or accepted none, is named', async () => {
  const { operations } = await playRequests(await openWorld(), { seed: 1, requests: 2, only: ['GET /v1/chats'] });
  const refused = { ...operations, 'GET /v1/friends': { sent: 9, accepted: 0 } };
  expect(findUncalled(['GET /v1/chats', 'GET /v1/badges'], refused)).toEqual([
    'no request was made for GET /v1/badges',
  ]);
  expect(findUnaccepted(refused)).toContain('0 of 9 requests were accepted by GET /v1/friends');
});

test('a kiosk that a request revoked is paired again, so that its other calls are not all refused', async () => {
  const world = await openWorld();
  await must(world.api, world.of('operator'), 'DELETE', `/v1/sport-centers/${world.center}/kiosks`);
  const only = ['GET /v1/kiosks/me/board'];
  const { problems, accepted } = await playRequests(world, { seed: 1, requests: 30, only });
  expect(problems).toEqual([]);
  expect(accepted).toBeGreaterThan(2);
});
