import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Deed, resultOf, Stage } from '#test/attacks/attack.ts';
import { CheatStage, playCheat } from '#test/fair-proof/cheat.ts';
import { isTooCheap } from '#test/fair-proof/cheat-outcome.ts';
import { liveOnServer } from '#test/fair-proof/honest-server.ts';
import { kioskCheats } from '#test/fair-proof/kiosk-cheats.ts';
import { peopleCheats } from '#test/fair-proof/people-cheats.ts';
import { type ClockedWorld, openClockedWorld, type Person } from '#test/scenes/clocked-world.ts';

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

test.each([
  ['scans its code', (stage: Stage, deed: Deed, who: Person) => ({ payload: stage.code(deed, {}, who, who).payload })],
  ['types its digits', (stage: Stage, deed: Deed, who: Person) => ({ code: stage.code(deed, {}, who, who).digits })],
])('a visit with the codes of another account is on the public board once a referee %s', async (_name, codeOf) => {
  const stage = await Stage.open(world, await world.pairTablet(world.center));
  const cheats = new CheatStage(stage);
  const [, second] = (await cheats.people(2)) as [Person, Person];
  const [, deed] = (await cheats.visit([stage.ada, second])) as [Deed, Deed];
  const look = () => stage.look(deed, second);
  expect(await look()).toMatchObject({ validation: 'peer', points: 236, proof_note: 'venue_codes_shared' });
  const { data } = await world.call('GET', `/v1/activities/${deed.client_id}`, second, stage.now);
  expect(data.proofs).toMatchObject([{ method: 'venue', outcome: 'in_force', by: null }]);
  stage.now += 60_000;
  const shown = { ...deed, started: Date.parse(String(data.started_at)), ended: Date.parse(String(data.ended_at)) };
  const scan = stage.scanBody(codeOf(stage, shown, second));
  expect(resultOf(await stage.post(stage.rex, '/v1/activities/validate', scan))).toBe('accepted');
  expect(await look()).toMatchObject({ validation: 'referee', points: 236, proof_note: null });
  const board = await world.call('GET', '/v1/leaderboards?period=all', second, stage.now);
  expect(board.data.me).toMatchObject({ points: 236 });
});

test('an edit drops a limited proof, and with it the reason of the limit', async () => {
  const stage = await Stage.open(world, await world.pairTablet(world.center));
  const cheats = new CheatStage(stage);
  const [deed] = (await cheats.visit([stage.rex, stage.ada])).slice(1) as [Deed];
  expect(await stage.look(deed)).toMatchObject({ validation: 'peer' });
  stage.now += 60_000;
  expect(resultOf(await stage.edit(deed, { intensity: 'easy' }))).toBe('accepted');
  expect(await stage.look(deed)).toMatchObject({ status: 'finished', validation: 'none', proof_note: null });
});
