import { randomInt, randomUUID } from 'node:crypto';
import type { LeaderboardRow } from '@sendlap/contract/leaderboards.ts';
import { liftSuspension, suspendPerson } from '@sendlap/contract/server-management/people.ts';
import { SPORTS } from '@sendlap/domain/sports.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEventWriter, type EventWriter } from '#api/events/events.ts';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { befriend, makeCenter } from '#test/factories.ts';
import { aroundBySorting } from '#test/rank-model.ts';
import {
  type Competitor,
  type CountedActivity,
  countFriendsBoard,
  countPublicBoard,
  countScore,
} from '#test/scenes/board-model.ts';
import { signInAgain } from '#test/scenes/filled-person.ts';
import { callEndpoint } from '#test/scenes/managed-center.ts';
import { makeOperator } from '#test/scenes/right-holders.ts';
import { boardCtes } from './board-scores.ts';
import { ALL_CENTERS, type Board, type Rank } from './ranks/boards.ts';
import { ALL_BOARDS_CHANGED } from './service.ts';

/** A Wednesday in the first week of a year; the previous year had 53 weeks. */
const NOW = Date.parse('2027-01-06T12:00:00Z');
/** All open, of two seasons. */
const WEEKS = ['2026-W52', '2026-W53', '2027-W01'];
const PERIODS = ['2027-W01', '2026-W53', '2026-W52', '2027-Q1', '2026-Q4', 'all'];
/** `npm run faults -- ranks` makes 50,000. */
const STEPS = 600;
const PEOPLE = 12;
/** Boards of one: of 3 sports at 4 places. Another third of the people sees a board of the next one. */
const A_PERIOD = 12;
const AT_ONCE = 8;

type Player = Competitor & SignedIn & { name: string; friend_ids: Set<string> };

let api: TestApp;
let events: EventWriter;
let centers: string[] = [];
let people: Player[] = [];
let operator: SignedIn;
const activities = new Map<string, CountedActivity[]>();
beforeAll(async () => {
  const seed = async (database: TestApp['database']) => {
    centers = [await makeCenter(database), await makeCenter(database), await makeCenter(database)];
  };
  api = await buildTestApp({ seed, now: () => new Date(NOW) });
  events = createEventWriter(api.database);
  operator = await makeOperator(api, 'Olga');
  people = await Promise.all(Array.from({ length: PEOPLE }, (_, nth) => makePlayer(`P${nth}`)));
  for (const [nth, one] of people.entries()) {
    for (const other of people.slice(nth + 1).filter((_, index) => (nth + index) % 3 === 0)) {
      await befriend(api.database, one, other);
      one.friend_ids.add(other.user_id);
      other.friend_ids.add(one.user_id);
    }
  }
});
afterAll(() => api.close());

async function makePlayer(name: string): Promise<Player> {
  const who = await api.signIn(name);
  activities.set(who.user.id, []);
  const user_id = who.user.id;
  return { ...who, name, user_id, boards: true, age: null, is_locked: false, friend_ids: new Set() };
}

const anyStep = fc.oneof(
  {
    weight: 60,
    arbitrary: fc.record({
      kind: fc.constant('validated' as const),
      who: fc.nat(PEOPLE - 1),
      week_key: fc.constantFrom(...WEEKS),
      sport_type: fc.constantFrom(...SPORTS),
      center: fc.nat(2),
      validation: fc.constantFrom('peer' as const, 'venue' as const, 'referee' as const),
      // Few values, so that there are many ties; 0 for an activity that is too short.
      points: fc.constantFrom(0, 10, 10, 20, 30),
      minute: fc.nat(20),
    }),
  },
  {
    weight: 35,
    arbitrary: fc.record({
      kind: fc.constant('reversed' as const),
      who: fc.nat(PEOPLE - 1),
      which: fc.nat(1000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('hidden' as const), who: fc.nat(PEOPLE - 1) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('suspended' as const), who: fc.nat(PEOPLE - 1) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('aged' as const),
      who: fc.nat(PEOPLE - 1),
      age: fc.constantFrom(14, 15, 16, 40),
    }),
  },
);
type Step = typeof anyStep extends fc.Arbitrary<infer One> ? One : never;

const isYoung = ({ age }: Player) => age !== null && age < 16;

async function take(step: Step): Promise<void> {
  const player = people[step.who] as Player;
  if (step.kind === 'suspended') return suspendOrLift(player);
  // A suspended account can change nothing: tested elsewhere.
  if (player.is_locked && (step.kind === 'hidden' || step.kind === 'aged')) return;
  if (step.kind === 'hidden') {
    // Too young to be shown: refused, and tested elsewhere.
    player.boards = !player.boards && !isYoung(player);
    await send(player, 'PATCH', '/v1/users/settings', { boards: player.boards });
  } else if (step.kind === 'aged') {
    const is_first = player.age === null;
    player.age = step.age;
    if (isYoung(player)) player.boards = false;
    await sayAge(player, is_first);
  } else {
    const { user_id } = player;
    const mine = activities.get(user_id) ?? [];
    const [week_key] = step.kind === 'validated' ? [add(mine, user_id, step)] : drop(mine, step.which);
    if (week_key !== undefined) await writeWeek(user_id, week_key);
  }
}

async function suspendOrLift(player: Player): Promise<void> {
  player.is_locked = !player.is_locked;
  const params = { public_id: player.user.public_id };
  const call = { who: operator, params, ...(player.is_locked && { body: { reason: 'Spam' } }) };
  expect((await callEndpoint(api, player.is_locked ? suspendPerson : liftSuspension, call)).status).toBe(200);
  if (!player.is_locked) Object.assign(player, await signInAgain(api, player.user_id, 'Phone', () => NOW));
}

function add(mine: CountedActivity[], user_id: string, step: Extract<Step, { kind: 'validated' }>): string {
  const { week_key, sport_type, validation, points, minute, center } = step;
  const validated_at_ms = NOW - minute * 60_000;
  mine.push({
    user_id,
    week_key,
    sport_type,
    validation,
    points,
    validated_at_ms,
    sport_center_id: centers[center] ?? '',
  });
  return week_key;
}

function drop(mine: CountedActivity[], which: number): string[] {
  return mine.splice(which % Math.max(1, mine.length), 1).map(({ week_key }) => week_key);
}

/** Like a validation: locks the user's row, and one statement updates the boards. */
async function writeWeek(user_id: string, week_key: string): Promise<void> {
  const counted = activities.get(user_id)?.filter((one) => one.week_key === week_key) ?? [];
  const week = {
    week_key,
    activities: counted.map((one) => ({ ...one, validated_at: new Date(one.validated_at_ms) })),
  };
  await events.transact(async (trx) => {
    await trx.selectFrom('users').select('id').where('id', '=', user_id).forNoKeyUpdate().execute();
    await sql`with ${sql.join(boardCtes(user_id, [week], new Date(NOW)))} select 1`.execute(trx);
    events.publish(trx, [], [ALL_BOARDS_CHANGED]);
  });
}

async function sayAge(player: Player, is_first: boolean): Promise<void> {
  const body = { age: player.age, weight_kg: 60, height_cm: 170, male: null };
  if (is_first) return send(player, 'POST', '/v1/users/bio-info', body);
  const reply = await api.app.inject({ url: '/v1/users/bio-info', headers: player.headers });
  const { updated_at } = reply.json().data.bio_info ?? reply.json().data;
  return send(player, 'PATCH', '/v1/users/bio-info', { age: player.age, updated_at });
}

async function send(who: Player, method: 'POST' | 'PATCH', url: string, payload: object): Promise<void> {
  const reply = await api.app.inject({ method, url, headers: who.headers, payload });
  expect(reply.statusCode, reply.body).toBeLessThan(300);
}

/** Runs each user's steps in order, several users at once. */
async function takeAll(steps: Step[]): Promise<void> {
  const queues = [...Map.groupBy(steps, ({ who }) => who % AT_ONCE).values()];
  await Promise.all(
    queues.map(async (queue) => {
      for (const step of queue) await take(step);
    }),
  );
}

const rowOf = ({ user_id, rank, points, reached_at_ms }: Rank, me: Player): LeaderboardRow => {
  const who = people.find((player) => player.user_id === user_id) as Player;
  const with_id = who === me || me.friend_ids.has(user_id);
  return {
    rank,
    user: { name: who.name, ...(with_id ? { public_id: who.user.public_id } : {}) },
    points,
    reached_at: new Date(reached_at_ms).toISOString(),
    is_me: who === me,
  };
};

function expectedOf(board: Board, scope: 'all' | 'friends', me: Player, everybody: Rank[]) {
  const all = [...activities.values()].flat();
  const ranked = scope === 'all' ? everybody : countFriendsBoard(people, all, board, me);
  const around = aroundBySorting(ranked, me.user_id, 3);
  const mine = ranked.find(({ user_id }) => user_id === me.user_id) ?? hiddenRank(board, scope, me, ranked);
  const common = {
    me: mine ? rowOf(mine, me) : null,
    total: ranked.length,
    hidden: !me.boards || (me.age ?? 16) < 16,
  };
  const my_points = around.rows[around.my_index]?.points ?? 0;
  return {
    page: { ...common, items: ranked.map((entry) => rowOf(entry, me)), next_cursor: null },
    surrounding: {
      ...common,
      items: around.rows.map((entry) => rowOf(entry, me)),
      gap_to_next: around.next_points === null ? null : around.next_points - my_points,
    },
  };
}

function hiddenRank(board: Board, scope: 'all' | 'friends', { user_id }: Player, ranked: Rank[]): Rank | undefined {
  const score = countScore(activities.get(user_id) ?? [], board, scope === 'friends');
  if (score.points === 0) return undefined;
  return { user_id, rank: 1 + ranked.filter(({ points }) => points > score.points).length, ...score };
}

async function read(who: Player, path: string, { period, sport, sport_center_id }: Board, scope: string) {
  const name = period === 'all' ? 'all' : period.includes('W') ? 'week' : 'season';
  const query: Record<string, string> = { period: name, key: period, scope };
  if (sport !== 'all') query.sport = sport;
  if (sport_center_id !== ALL_CENTERS) query.sport_center_id = sport_center_id;
  const reply = await api.app.inject({ url: `/v1/leaderboards${path}`, query, headers: who.headers });
  const { period: _, ...data } = reply.json().data;
  return data;
}

/** Compares each board for each viewer, or in turn for one in `every_nth`. Returns the number of comparisons. */
async function compare(boards: Board[], viewers: Player[], every_nth = 1): Promise<number> {
  let compared = 0;
  for (const [at, board] of boards.entries()) {
    const everybody = countPublicBoard(people, [...activities.values()].flat(), board);
    for (const me of viewers.filter((_, nth) => (nth + at + Math.floor(at / A_PERIOD)) % every_nth === 0)) {
      for (const scope of ['all', 'friends'] as const) {
        const { page, surrounding } = expectedOf(board, scope, me, everybody);
        const what = `${me.name} ${scope} ${JSON.stringify(board)}`;
        expect(await read(me, '', board, scope), what).toEqual(page);
        expect(await read(me, '/surrounding', board, scope), what).toEqual(surrounding);
        compared += 1;
      }
    }
  }
  return compared;
}

/**
 * Waits until this node has every change: another connection's commit is known once notified; a change made here is
 * known at once.
 */
async function settle(): Promise<void> {
  const last = await makePlayer(`Last ${randomUUID()}`);
  await send(last, 'PATCH', '/v1/users/settings', { boards: false });
}

test(`after ${STEPS} random proofs, reversals, hidings and suspensions every board, and the boards of every player, are as a recount says`, {
  timeout: 180_000,
}, async () => {
  const seed = randomInt(2 ** 31);
  const steps = fc.sample(anyStep, { numRuns: STEPS, seed });
  const boards = PERIODS.flatMap((period) =>
    (['all', ...SPORTS] as const).flatMap((sport) =>
      [ALL_CENTERS, ...centers].map((sport_center_id) => ({ period, sport, sport_center_id })),
    ),
  );
  // Boards read early are updated incrementally, the others are filled at the end.
  const early = boards.filter((_, nth) => nth % 6 === 0);
  const parts = 4;
  for (let part = 0; part < parts; part += 1) {
    await takeAll(steps.slice((part * STEPS) / parts, ((part + 1) * STEPS) / parts));
    await settle();
    const viewers = people.filter(({ is_locked }, nth) => !is_locked && nth % parts === part);
    expect(await compare(early, viewers), `seed ${seed}`).toBe(early.length * viewers.length * 2);
  }
  const viewers = people.filter(({ is_locked }) => !is_locked);
  expect(await compare(boards, viewers, 3), `seed ${seed}`).toBe((72 / 3) * viewers.length * 2);
  const stood = [...activities.values()].flat();
  expect(stood.length).toBeGreaterThan(STEPS / 10);
});
