import { expect, onTestFinished, test } from 'vitest';
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

test('a kiosk that a request revoked is paired again, so that its other calls are not all refused', async () => {
  const world = await openWorld();
  await must(world.api, world.of('operator'), 'DELETE', `/v1/sport-centers/${world.center}/kiosks`);
  const only = ['GET /v1/kiosks/me/board'];
  const { problems, accepted } = await playRequests(world, { seed: 1, requests: 30, only });
  expect(problems).toEqual([]);
  expect(accepted).toBeGreaterThan(2);
});
