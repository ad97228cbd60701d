import { expect, test } from 'vitest';
import { MISTAKES } from '../apps/web/test/world/base/mistakes.ts';
import { SIGHTS } from '../apps/web/test/world/base/sights.ts';
import { KEPT_SEEDS } from '../apps/web/test/world/kept-seeds.ts';
import { playWorld } from '../apps/web/test/world/world.ts';
import { createRandom } from '../e2e/offline/random.ts';

test.each(MISTAKES)('Worlds find the damage with this protection removed: %s', async (mistake) => {
  const damages: string[] = [];
  for (let seed = 1; seed <= 30 && damages.length === 0; seed += 1)
    damages.push(...(await playWorld(createRandom(seed), { mistake })).damage);
  expect(damages).not.toEqual([]);
});

test('Worlds do no damage, and reach every kind of trouble', async () => {
  const seen = new Set<string>();
  for (const seed of [...KEPT_SEEDS, ...Array.from({ length: 30 }, (_, index) => index + 1)]) {
    const { damage, sights } = await playWorld(createRandom(seed));
    expect({ seed, damage }).toEqual({ seed, damage: [] });
    for (const sight of sights) seen.add(sight);
  }
  expect([...seen].sort()).toEqual([...SIGHTS].sort());
});

test('A seed repeats its world', async () => {
  const mistake = 'no idempotency key';
  expect(await playWorld(createRandom(7), { mistake })).toEqual(await playWorld(createRandom(7), { mistake }));
});
