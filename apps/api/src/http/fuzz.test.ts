import { expect, test } from 'vitest';
import { playRequests } from '#test/fuzz/play-requests.ts';
import { MatrixWorld } from '#test/matrix/matrix-world.ts';

/** A few; `npm run faults -- fuzz` sends 24,000. */
test('a broken request is answered as the contract says, and changes nothing when it is refused', async () => {
  const world = await MatrixWorld.open();
  try {
    const { problems, accepted, sent } = await playRequests(world, { seed: 1, requests: 150 });
    expect(problems).toEqual([]);
    expect(sent).toBe(150);
    expect(accepted).toBeGreaterThan(10);
  } finally {
    await world.close();
  }
});
