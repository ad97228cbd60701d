import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, iso, MINUTE_MS, type PlannedActivity, resultOf, Stage } from '#test/attacks/attack.ts';
import { CheatStage, newId, playCheat } from '#test/fair-proof/cheat.ts';
import { isTooCheap } from '#test/fair-proof/cheat-outcome.ts';
import { kioskCheats } from '#test/fair-proof/kiosk-cheats.ts';
import { peopleCheats } from '#test/fair-proof/people-cheats.ts';
import { replayOnServer } from '#test/fair-proof/replay-honest-weeks.ts';
import { type ClockedWorld, FIRST_MOMENT, openClockedWorld, type Person } from '#test/scenes/clocked-world.ts';

let world: ClockedWorld;
beforeAll(async () => {
  world = await openClockedWorld();
});
afterAll(() => world.close());

/** What each rule takes from the cheat that it is for; the fault program plays all of them. */
test.each([
  ['five accounts with one picture of the kiosk', { public: 3, friends: 12, flags: ['shared_codes'] }],
  ['sent at the same moment', { public: 1, friends: 4 }],
  ['combine five codes of the start with five of the finish', { public: 9, friends: 16 }],
  ['of which one is the finish of one and the start of another', { public: 2, friends: 1 }],
  ['finish with one code of each of three later days', { public: 0, friends: 0, refusals: ['venue_code_late'] }],
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

test('honest weeks of each kind of club end on the server as by the rules alone: none is refused, and reviews are the same', async () => {
  const replayed = await replayOnServer(world, { clubs: 10, seed: 1, max_members: 2 });
  expect(replayed).toMatchObject({ differences: [], refused: 0, offline_visits: 10 });
  expect(replayed.kiosk_visits).toBeGreaterThan(20);
});

test.each([
  [
    'scans its code',
    (stage: Stage, planned: PlannedActivity, who: Person) => ({ payload: stage.code(planned, {}, who, who).payload }),
  ],
  [
    'types its digits',
    (stage: Stage, planned: PlannedActivity, who: Person) => ({ code: stage.code(planned, {}, who, who).digits }),
  ],
])('a visit with the codes of another account is on the public board once a referee %s', async (_name, codeOf) => {
  const stage = await Stage.open(world, await world.pairKiosk(world.center));
  const cheats = new CheatStage(stage);
  const [, second] = (await cheats.people(2)) as [Person, Person];
  const [, planned] = (await cheats.visit([stage.ada, second])) as [PlannedActivity, PlannedActivity];
  const look = () => stage.look(planned, second);
  expect(await look()).toMatchObject({ validation: 'peer', points: 236, proof_note: 'venue_codes_shared' });
  const { data } = await world.call('GET', `/v1/activities/${planned.client_id}`, second, stage.now);
  expect(data.proofs).toMatchObject([{ method: 'venue', outcome: 'in_force', by: null }]);
  stage.now += 60_000;
  const shown = { ...planned, started: Date.parse(String(data.started_at)), ended: Date.parse(String(data.ended_at)) };
  const scan = stage.scanBody(codeOf(stage, shown, second));
  expect(resultOf(await stage.post(stage.rex, '/v1/activities/validate', scan))).toBe('accepted');
  expect(await look()).toMatchObject({ validation: 'referee', points: 236, proof_note: null });
  const board = await world.call('GET', '/v1/leaderboards?period=all', second, stage.now);
  expect(board.data.me).toMatchObject({ points: 236 });
});

test.each([
  ['24 hours after that of the start counts', DAY_MS, { validation: 'venue', proof_note: null }],
  ['later counts no more', DAY_MS + 1, { status: 'finished', validation: 'none', proof_note: 'venue_code_late' }],
])("a kiosk's code of the finish %s", async (_name, apart_ms, expected) => {
  const stage = await Stage.open(world, await world.pairKiosk(world.center));
  const cheats = new CheatStage(stage);
  const planned = { ...stage.climb(), started: stage.now };
  await cheats.start(planned, stage.ada);
  stage.now += apart_ms;
  await cheats.finish(planned, stage.ada, stage.venueCode(), { ended_at: iso(planned.started + 2 * HOUR_MS) });
  expect(await stage.look(planned)).toMatchObject(expected);
});

test('six codes of four days, each 23 hours after the one before, put five visits on public boards, not six', async () => {
  const stage = await Stage.open(world, await world.pairKiosk(world.center));
  const cheats = new CheatStage(stage);
  const visits = (await cheats.people(6)).map((who) => ({ who, planned: stage.climb() }));
  // Each line is a code of a day: the visits that end with it, and those that start with it.
  const days: [ending: number[], starting: number[]][][] = [
    [[[], [0, 1]]],
    [
      [[0], [2]],
      [[1], [3]],
    ],
    [
      [[2], [4]],
      [[3], [5]],
    ],
    [[[4, 5], []]],
  ];
  for (const codes of days) {
    for (const [ending, starting] of codes) {
      for (const { who, planned } of ending.flatMap((nth) => visits[nth] ?? [])) await cheats.finish(planned, who);
      for (const visit of starting.flatMap((nth) => visits[nth] ?? [])) {
        visit.planned.started = stage.now;
        await cheats.start(visit.planned, visit.who);
      }
      stage.now += 15_000;
    }
    stage.now += 23 * HOUR_MS;
  }
  const found = await Promise.all(visits.map(({ who, planned }) => stage.look(planned, who)));
  expect(found.map(({ validation }) => validation)).toEqual(['venue', 'venue', 'venue', 'venue', 'venue', 'peer']);
});

test('an edit drops a limited proof, and with it the reason of the limit', async () => {
  const stage = await Stage.open(world, await world.pairKiosk(world.center));
  const cheats = new CheatStage(stage);
  const [planned] = (await cheats.visit([stage.rex, stage.ada])).slice(1) as [PlannedActivity];
  expect(await stage.look(planned)).toMatchObject({ validation: 'peer' });
  stage.now += 60_000;
  expect(resultOf(await stage.edit(planned, { intensity: 'easy' }))).toBe('accepted');
  expect(await stage.look(planned)).toMatchObject({ status: 'finished', validation: 'none', proof_note: null });
});

describe("an installation that several accounts used, such as a club's tablet", () => {
  /** Each signs in on it and out again. */
  async function useTablet(stage: Stage, people: Person[]): Promise<void> {
    const tablet = { installation_id: newId(), name: 'Tablet of the club' };
    for (const who of people) {
      const { data } = await stage.post(who, '/v1/devices', tablet);
      stage.now += MINUTE_MS;
      await world.call('DELETE', `/v1/devices/${data.key_id}`, who, stage.now);
    }
  }

  test.each([
    ['is refused', 6.9, 'referee_own_installation'],
    ['counts', 7.1, 'accepted'],
  ])("a referee's scan of an athlete %s %d days after both used it", async (_name, days, expected) => {
    const stage = await Stage.open(world, await world.pairKiosk(world.center));
    await useTablet(stage, [stage.rex, stage.ada]);
    stage.now += days * DAY_MS;
    const planned = await stage.climbed();
    expect(await stage.scanned(stage.code(planned).payload)).toBe(expected);
  });

  test("a referee's scan that waited for the activity counts 7.1 days after both used it", async () => {
    const stage = await Stage.open(world, await world.pairKiosk(world.center));
    await useTablet(stage, [stage.rex, stage.ada]);
    stage.now += 7.1 * DAY_MS;
    const planned = stage.climb();
    expect(await stage.scanned(stage.code(planned).payload)).toBe('waiting');
    await stage.record(planned);
    expect(await stage.look(planned)).toMatchObject({ validation: 'referee' });
  });

  test.each([
    ['not on public boards', 6.9, 'peer'],
    ['on public boards', 7.1, 'venue'],
  ])('the second of two visits at one time counts %s %d days after both used it', async (_name, days, validation) => {
    const stage = await Stage.open(world, await world.pairKiosk(world.center, FIRST_MOMENT + 6 * DAY_MS));
    const cheats = new CheatStage(stage);
    const people = await cheats.people(2);
    await useTablet(stage, people);
    stage.now += days * DAY_MS - 3 * MINUTE_MS;
    const [, second] = (await cheats.visit(people, { start_codes: 2, end_codes: 2 })) as [
      PlannedActivity,
      PlannedActivity,
    ];
    expect(await stage.look(second, people[1])).toMatchObject({ validation });
  });
});
