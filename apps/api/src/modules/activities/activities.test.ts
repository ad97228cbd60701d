import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { makeCenter } from '#test/factories.ts';

const MINUTE_MS = 60_000;
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS).toISOString();

let api: TestApp;
let center = '';
let climbing_only = '';

beforeAll(async () => {
  api = await buildTestApp({
    seed: async (database) => {
      center = await makeCenter(database);
      climbing_only = await makeCenter(database, ['climbing']);
    },
  });
});
afterAll(() => api.close());

function startOf(overrides: object = {}) {
  return {
    client_id: randomUUID(),
    op_id: randomUUID(),
    sport_center_id: center,
    sport_type: 'climbing',
    started_at: ago(60),
    ...overrides,
  };
}

async function post(who: SignedIn, url: string, payload: object) {
  const reply = await api.app.inject({ method: 'POST', url, headers: who.headers, payload });
  return { status: reply.statusCode, body: reply.json(), headers: reply.headers };
}

describe('starting an activity', () => {
  test.each([
    ['an unknown field', { hacked: true }, 400, 'validation_failed'],
    ['a client_id that is no UUID', { client_id: 'offline_1' }, 400, 'validation_failed'],
    ['a UUID that is not version 4', { client_id: '00000000-0000-1000-8000-000000000000' }, 400, 'validation_failed'],
    ['an unknown sport', { sport_type: 'running' }, 400, 'validation_failed'],
    ['a time without a zone', { started_at: '2026-11-21T10:00:00' }, 400, 'validation_failed'],
    ['a number as text', { started_at: 5 }, 400, 'validation_failed'],
    ['an unknown center', { sport_center_id: randomUUID() }, 404, 'sport_center_not_found'],
    [
      'a time in the future',
      { started_at: new Date(Date.now() + 10 * MINUTE_MS).toISOString() },
      422,
      'activity_in_future',
    ],
    ['a time of 15 days ago', { started_at: ago(15 * 1440) }, 422, 'activity_too_old'],
  ])('with %s is refused and changes nothing', async (_name, overrides, status, code) => {
    const ada = await api.signIn('Ada');
    const reply = await post(ada, '/v1/activities', startOf(overrides));
    expect(reply.status).toBe(status);
    expect(reply.body).toMatchObject({ success: false, code });
    const list = await api.app.inject({ url: '/v1/activities', headers: ada.headers });
    expect(list.json().data.items).toEqual([]);
  });

  test('needs a session', async () => {
    const reply = await api.app.inject({ method: 'POST', url: '/v1/activities', payload: startOf() });
    expect(reply.statusCode).toBe(401);
  });

  test('of a sport that the center does not offer is refused', async () => {
    const ada = await api.signIn('Ada');
    const reply = await post(
      ada,
      '/v1/activities',
      startOf({ sport_center_id: climbing_only, sport_type: 'swimming' }),
    );
    expect(reply.body.code).toBe('sport_not_offered');
  });

  test('while another one runs is refused', async () => {
    const ada = await api.signIn('Ada');
    expect((await post(ada, '/v1/activities', startOf())).status).toBe(201);
    const second = await post(ada, '/v1/activities', startOf());
    expect(second.status).toBe(409);
    expect(second.body.code).toBe('activity_already_active');
  });

  test('gives the activity, with no points yet [spec 1.activities.start, 7.activities.start]', async () => {
    const ada = await api.signIn('Ada');
    const start = startOf({ intensity: 'easy' });
    const reply = await post(ada, '/v1/activities', start);
    expect(reply.body.data).toMatchObject({
      client_id: start.client_id,
      status: 'active',
      validation: 'none',
      points: 0,
      ended_at: null,
      rule_version: 'met-2',
      intensity: 'easy',
    });
  });
});

describe('sending a step again', () => {
  test('with the same op id but another body is refused with 422', async () => {
    const ada = await api.signIn('Ada');
    const start = startOf();
    await post(ada, '/v1/activities', start);
    const other = await post(ada, '/v1/activities', { ...start, intensity: 'hard' });
    expect(other.status).toBe(422);
    expect(other.body.code).toBe('idempotency_mismatch');
  });

  test('twenty times at once makes one activity and twenty equal answers', async () => {
    const ada = await api.signIn('Ada');
    const start = startOf();
    const replies = await Promise.all(Array.from({ length: 20 }, () => post(ada, '/v1/activities', start)));
    expect(replies.map((reply) => reply.status)).toEqual(Array(20).fill(201));
    expect(replies.filter((reply) => reply.headers['idempotent-replay'] === 'true')).toHaveLength(19);
    const list = await api.app.inject({ url: '/v1/activities', headers: ada.headers });
    expect(list.json().data.items).toHaveLength(1);
  });

  test('with its ids in upper case and its time in another form of the same moment is the same step', async () => {
    const ada = await api.signIn('Ada');
    const start = startOf();
    start.started_at = new Date(Math.floor(Date.now() / 1000) * 1000 - 60 * MINUTE_MS).toISOString();
    await post(ada, '/v1/activities', start);
    const same = {
      ...start,
      op_id: start.op_id.toUpperCase(),
      client_id: start.client_id.toUpperCase(),
      started_at: start.started_at.replace('.000Z', 'Z'),
    };
    const reply = await post(ada, '/v1/activities', same);
    expect(reply.status).toBe(201);
    expect(reply.headers['idempotent-replay']).toBe('true');
  });

  test('gives a stored refusal again, even when its reason is gone', async () => {
    const ada = await api.signIn('Ada');
    const first = startOf();
    const second = startOf({ started_at: ago(20) });
    await post(ada, '/v1/activities', first);
    expect((await post(ada, '/v1/activities', second)).body.code).toBe('activity_already_active');
    await post(ada, `/v1/activities/${first.client_id}/finish`, { op_id: randomUUID(), ended_at: ago(30) });
    expect((await post(ada, '/v1/activities', second)).body.code).toBe('activity_already_active');
  });
});

describe('a forgotten activity', () => {
  test('that was started 16 days ago can still be finished, so that no athlete is locked out', async () => {
    const ada = await api.signIn('Ada');
    const start = startOf();
    await post(ada, '/v1/activities', start);
    const started_at = new Date(Date.now() - 16 * 1440 * MINUTE_MS);
    await api.database.updateTable('activities').set({ started_at }).where('user_id', '=', ada.user.id).execute();
    const ended_at = new Date(started_at.getTime() + 60 * MINUTE_MS).toISOString();
    const reply = await post(ada, `/v1/activities/${start.client_id}/finish`, { op_id: randomUUID(), ended_at });
    expect(reply.status).toBe(200);
    expect((await post(ada, '/v1/activities', startOf())).status).toBe(201);
  });
});

describe('finishing an activity', () => {
  test('of another athlete answers as if it did not exist', async () => {
    const [ada, bea] = [await api.signIn('Ada'), await api.signIn('Bea')];
    const start = startOf();
    await post(ada, '/v1/activities', start);
    const finish = { op_id: randomUUID(), ended_at: ago(5) };
    const reply = await post(bea, `/v1/activities/${start.client_id}/finish`, finish);
    expect(reply.status).toBe(404);
    expect(reply.body.code).toBe('activity_not_found');
  });

  test.each([
    ['before its start', ago(61), 'activity_duration_invalid'],
    ['in the future', new Date(Date.now() + 10 * MINUTE_MS).toISOString(), 'activity_in_future'],
  ])('%s is refused', async (_name, ended_at, code) => {
    const ada = await api.signIn('Ada');
    const start = startOf();
    await post(ada, '/v1/activities', start);
    const reply = await post(ada, `/v1/activities/${start.client_id}/finish`, { op_id: randomUUID(), ended_at });
    expect(reply.body.code).toBe(code);
  });

  test('twice with two op ids is refused the second time', async () => {
    const ada = await api.signIn('Ada');
    const start = startOf();
    await post(ada, '/v1/activities', start);
    const url = `/v1/activities/${start.client_id}/finish`;
    expect((await post(ada, url, { op_id: randomUUID(), ended_at: ago(10) })).status).toBe(200);
    expect((await post(ada, url, { op_id: randomUUID(), ended_at: ago(5) })).body.code).toBe(
      'activity_already_finished',
    );
  });

  test('that would overlap with another one is refused', async () => {
    const ada = await api.signIn('Ada');
    const first = startOf({ started_at: ago(60) });
    await post(ada, '/v1/activities', first);
    await post(ada, `/v1/activities/${first.client_id}/finish`, { op_id: randomUUID(), ended_at: ago(30) });
    const second = startOf({ started_at: ago(90) });
    await post(ada, '/v1/activities', second);
    const url = `/v1/activities/${second.client_id}/finish`;
    expect((await post(ada, url, { op_id: randomUUID(), ended_at: ago(45) })).body.code).toBe('activity_overlap');
    expect((await post(ada, url, { op_id: randomUUID(), ended_at: ago(61) })).status).toBe(200);
  });

  test('returns the points that a confirmation would give, but awards none', async () => {
    const ada = await api.signIn('Ada');
    const start = startOf({ started_at: ago(90), sport_type: 'climbing' });
    await post(ada, '/v1/activities', start);
    const end = new Date(Date.parse(start.started_at) + 90 * MINUTE_MS).toISOString();
    const reply = await post(ada, `/v1/activities/${start.client_id}/finish`, { op_id: randomUUID(), ended_at: end });
    expect(reply.body.data).toMatchObject({ status: 'finished', points: 0, potential_points: 355 });
  });
});

describe('syncing queued steps', () => {
  test('with more than 50 is refused', async () => {
    const ada = await api.signIn('Ada');
    const ops = Array.from({ length: 51 }, () => ({ kind: 'start', ...startOf() }));
    expect((await post(ada, '/v1/activities/sync', { ops })).status).toBe(400);
  });

  test('gives each its own outcome: a refused one stops no other', async () => {
    const ada = await api.signIn('Ada');
    const start = startOf();
    const ops = [
      { kind: 'start', ...start },
      { kind: 'start', ...startOf({ sport_center_id: randomUUID() }) },
      { kind: 'finish', client_id: start.client_id, op_id: randomUUID(), ended_at: ago(1) },
    ];
    const first = await post(ada, '/v1/activities/sync', { ops });
    expect(first.body.data.results.map((result: { outcome: string }) => result.outcome)).toEqual([
      'accepted',
      'rejected',
      'accepted',
    ]);
    const again = await post(ada, '/v1/activities/sync', { ops });
    expect(again.body.data.results.map((result: { outcome: string }) => result.outcome)).toEqual([
      'duplicate',
      'rejected',
      'duplicate',
    ]);
  });
});

describe('reading activities', () => {
  test('of another athlete answers 404', async () => {
    const [ada, bea] = [await api.signIn('Ada'), await api.signIn('Bea')];
    const start = startOf();
    await post(ada, '/v1/activities', start);
    const reply = await api.app.inject({ url: `/v1/activities/${start.client_id}`, headers: bea.headers });
    expect(reply.statusCode).toBe(404);
  });

  test('with a crafted cursor is refused', async () => {
    const ada = await api.signIn('Ada');
    for (const cursor of ['x', '1_x', "1_';drop table users", '99999999999999999_'.padEnd(60, 'a')]) {
      const reply = await api.app.inject({
        url: `/v1/activities?cursor=${encodeURIComponent(cursor)}`,
        headers: ada.headers,
      });
      expect(reply.statusCode).toBe(400);
    }
  });

  test('page by page shows each once, newest first', async () => {
    const ada = await api.signIn('Ada');
    for (let index = 10; index > 0; index -= 1) {
      const start = startOf({ started_at: ago(index * 10) });
      await post(ada, '/v1/activities', start);
      const finish = { op_id: randomUUID(), ended_at: ago(index * 10 - 5) };
      await post(ada, `/v1/activities/${start.client_id}/finish`, finish);
    }
    const seen: string[] = [];
    let cursor: string | null = '';
    do {
      const url: string = `/v1/activities?limit=3${cursor ? `&cursor=${cursor}` : ''}`;
      const { data } = (await api.app.inject({ url, headers: ada.headers })).json();
      seen.push(...data.items.map((item: { started_at: string }) => item.started_at));
      cursor = data.next_cursor;
    } while (cursor);
    expect(seen).toHaveLength(10);
    expect(seen).toEqual([...seen].sort().reverse());
  });
});
