import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lives } from '#test/lives/commands.ts';
import type { Cast } from '#test/lives/plan.ts';
import { makeCast, playLife } from '#test/lives/play.ts';
import { type ClockedWorld, openClockedWorld } from '#test/scenes/clocked-world.ts';

const LIVES = 100;

let world: ClockedWorld;
let cast: Cast;

beforeAll(async () => {
  world = await openClockedWorld();
  cast = await makeCast(world, await world.pairKiosk(world.center));
});
afterAll(() => world.close());

test('random lives end as a simple model says: outcomes, states, points, ledger and boards', async () => {
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(lives, async (life) => {
      for (const outcome of await playLife(world, cast, life)) outcomes.add(outcome);
    }),
    { numRuns: LIVES },
  );
  // Guards against vacuous runs: the usual ops must have occurred.
  const usual = ['start', 'finish', 'scan', 'edit', 'delete'].map((kind) => `${kind} accepted`);
  expect([...outcomes]).toEqual(expect.arrayContaining([...usual, 'scan waiting']));
}, 300_000);
