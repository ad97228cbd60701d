import { afterAll, beforeAll, expect, test } from 'vitest';
import { playCheat } from '#test/fair-proof/cheat.ts';
import { isTooCheap } from '#test/fair-proof/cheat-outcome.ts';
import { liveOnServer } from '#test/fair-proof/honest-server.ts';
import { kioskCheats } from '#test/fair-proof/kiosk-cheats.ts';
import { peopleCheats } from '#test/fair-proof/people-cheats.ts';
import { type ClockedWorld, openClockedWorld } from '#test/scenes/clocked-world.ts';

let world: ClockedWorld;
beforeAll(async () => {
  world = await openClockedWorld();
});
afterAll(() => world.close());

/** What each rule takes from the cheat that it is for; the fault program plays all of them. */
test.each([
  ['five accounts with one picture of the kiosk', { public: 3, friends: 12, flags: ['shared_codes'] }],
  ['sent at the same moment', { public: 1, friends: 4 }],
  ['five accounts on one phone', { public: 1, friends: 4 }],
  ['26 activities in one second', { public: 0, friends: 2, flags: ['many_refusals', 'reciprocal_pair'] }],
  ["on the referee's own phone", { public: 0, friends: 0, refusals: ['referee_own_installation'] }],
  ['with the scan sent before the activity', { public: 0, friends: 0, refusals: ['referee_own_installation'] }],
  ["and the referee's account befriends the second one", { public: 0, friends: 1, shield: 0 }],
])('a cheat: %s', async (name, outcome) => {
  const cheat = [...kioskCheats, ...peopleCheats].find((one) => one.name.includes(name));
  if (!cheat) throw new Error('no such cheat');
  const played = await playCheat(world, cheat);
  expect(played).toMatchObject(outcome);
  expect(isTooCheap(played)).toBe(false);
});

test('honest weeks of each kind of club end on the server as the rules alone say: none is refused', async () => {
  expect((await liveOnServer(world, { weeks: 10, seed: 1, max_members: 2 })).differences).toEqual([]);
});
