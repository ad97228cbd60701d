import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addCenters, buildCenterScene, type CenterScene } from '#test/scenes/center-scene.ts';
import { createRecommendations } from './recommendations.ts';
import { loadSnapshot, type Snapshot } from './snapshot.ts';

/** A Wednesday. */
const NOW = '2026-07-15T12:00:00Z';
const THIS_MONDAY = '2026-07-13T00:00:00Z';
const LAST_SUNDAY = '2026-07-12T23:59:59Z';
const FIRST_MONDAY = '2026-04-13T00:00:00Z';
const SUNDAY_BEFORE = '2026-04-12T23:59:59Z';

const HERE = { latitude: 41.3986, longitude: 2.2006 };

let scene: CenterScene;
let snapshot: Snapshot;
let ids: string[];
let now: string;
let recommendations: ReturnType<typeof createRecommendations>;

beforeAll(async () => {
  scene = await buildCenterScene([]);
  ids = await addCenters(scene.database, [
    { name: 'Here', at: [41.3986, 2.2006], sports: ['climbing'] },
    { name: 'Near', at: [41.38, 2.19], sports: ['climbing'] },
    { name: 'Far', at: [41.3647, 2.1519], sports: ['climbing'] },
    { name: 'Gone', at: [41.3986, 2.2006], sports: ['climbing'], closed: true },
    { name: 'Elsewhere', at: [43.27, -2.94], sports: ['climbing'] },
  ]);
  snapshot = await loadSnapshot(scene.database);
});

afterAll(async () => {
  snapshot.release();
  await scene.close();
});

beforeEach(async () => {
  await scene.database.deleteFrom('activities').execute();
  now = NOW;
  recommendations = createRecommendations(scene.database, () => new Date(now));
});

interface Training {
  /** Spread over the athletes as evenly as possible. */
  athletes?: number;
  times: number;
  at?: string;
  status?: 'active' | 'finished' | 'validated';
  age?: number;
  is_locked?: boolean;
}

async function train(center: number, { athletes = 3, times, at = LAST_SUNDAY, status, ...who }: Training) {
  const people = await Promise.all(Array.from({ length: athletes }, () => addAthlete(who)));
  // An athlete's activities must not overlap: each lasts a millisecond.
  const start = (nth: number) => Date.parse(at) + Math.floor(nth / athletes);
  const rows = Array.from({ length: times }, (_, nth) => ({
    id: randomUUID(),
    user_id: people[nth % athletes] ?? '',
    sport_center_id: ids[center] ?? '',
    sport_type: 'climbing' as const,
    started_at: new Date(start(nth)),
    ended_at: status === 'active' ? null : new Date(start(nth) + 1),
    status: status ?? ('finished' as const),
    intensity: null,
    distance_m: null,
    rule_version: '1',
    local_date: '2026-01-01',
    week_key: '2026-W01',
  }));
  await scene.database.insertInto('activities').values(rows).execute();
}

async function addAthlete({ age, is_locked = false }: Pick<Training, 'age' | 'is_locked'>): Promise<string> {
  const id = randomUUID();
  await scene.database
    .insertInto('users')
    .values({ id, public_id: id.slice(0, 8), email: '', name: '', is_active: !is_locked })
    .execute();
  if (age !== undefined) {
    const bio_info = { id: randomUUID(), user_id: id, client_id: null, age, weight_kg: 60, height_cm: 170, male: null };
    await scene.database.insertInto('bio_info').values(bio_info).execute();
  }
  return id;
}

async function listed(limit = 5, position = HERE): Promise<(string | number | undefined)[][]> {
  const items = await recommendations.find(snapshot, { ...position, limit });
  return items.map(({ number, activity_count }) => [snapshot.centerAt(number).name, activity_count]);
}

const BEFORE_VISITS = [
  ['Here', 0],
  ['Near', 0],
  ['Far', 0],
];

describe('recommended sport centers', () => {
  it.each<[string, Training]>([
    ['four activities', { times: 4 }],
    ['two athletes, however often they train', { athletes: 2, times: 100 }],
    ['the week that is not over', { times: 10, at: THIS_MONDAY }],
    ['the week before the last thirteen', { times: 10, at: SUNDAY_BEFORE }],
    ['activities that are not finished', { athletes: 6, times: 6, status: 'active' }],
    ['locked accounts', { times: 10, is_locked: true }],
    ['athletes under 16', { times: 10, age: 15 }],
  ])('reveal nothing, not even by their order, about %s', async (_, training) => {
    await train(2, training);
    expect(await listed()).toEqual(BEFORE_VISITS);
  });

  it('take no account of a locked or young athlete beside others', async () => {
    await train(2, { athletes: 2, times: 8 });
    await train(2, { athletes: 1, times: 1, age: 15 });
    await train(2, { athletes: 1, times: 1, is_locked: true });
    expect(await listed()).toEqual(BEFORE_VISITS);
    await train(2, { athletes: 1, times: 1, age: 16, status: 'validated' });
    expect((await again())[0]).toEqual(['Far', 5]);
  });

  it('come by how many activities they saw in thirteen weeks, then the nearest; closed and distant ones not [spec 9.offline.recommended]', async () => {
    await train(2, { times: 8, at: FIRST_MONDAY });
    await train(1, { times: 7 });
    await train(3, { times: 20 });
    await train(4, { times: 30 });
    expect(await listed()).toEqual([
      ['Far', 5],
      ['Near', 5],
      ['Here', 0],
    ]);
    expect(await listed(1, { latitude: 43.26, longitude: -2.93 })).toEqual([['Elsewhere', 20]]);
  });

  it.each([
    [5, 5],
    [9, 5],
    [10, 10],
    [49, 20],
    [199, 100],
    [999, 500],
    [1500, 1000],
  ])('say of %d activities that they are %d', async (times, said) => {
    await train(0, { times });
    expect((await listed(1))[0]).toEqual(['Here', said]);
  });

  it('are counted again after an hour', async () => {
    expect(await listed()).toEqual(BEFORE_VISITS);
    await train(0, { times: 5 });
    now = '2026-07-15T12:59:59Z';
    expect(await listed()).toEqual(BEFORE_VISITS);
    now = '2026-07-15T13:00:00Z';
    expect((await listed(1))[0]).toEqual(['Here', 5]);
  });

  it('are a public reply, with the distance', async () => {
    await scene.service.refresh();
    const { latitude, longitude } = HERE;
    const { status, body } = await scene.get(
      `/v1/sport-centers/recommended?latitude=${latitude}&longitude=${longitude}&limit=1`,
    );
    expect(status).toBe(200);
    expect(body.data).toMatchObject([{ name: 'Here', distance_km: 0, activity_count: 0 }]);
  });
});

/** Creates the service again, with an empty cache. */
function again() {
  recommendations = createRecommendations(scene.database, () => new Date(now));
  return listed();
}
