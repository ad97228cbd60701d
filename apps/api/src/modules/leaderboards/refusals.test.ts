import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { makeCenter } from '#test/factories.ts';

const BOARD = '/v1/leaderboards';
const AROUND = '/v1/leaderboards/surrounding';
/** A Wednesday. */
const NOW = Date.parse('2026-11-18T12:00:00Z');

let api: TestApp;
let ada: SignedIn;
let center = '';
let now_ms = NOW;
beforeAll(async () => {
  const seed = async (database: TestApp['database']) => {
    center = await makeCenter(database);
  };
  api = await buildTestApp({ seed, now: () => new Date(now_ms) });
  ada = await api.signIn('Ada');
});
afterAll(() => api.close());

async function get(url: string, headers: Record<string, string> = ada.headers) {
  const reply = await api.app.inject({ url, headers });
  return { status: reply.statusCode, ...reply.json() };
}

describe.each([BOARD, AROUND])('%s', (url) => {
  test('requires a session', async () => {
    expect(await get(url, {})).toMatchObject({ status: 401, code: 'unauthenticated' });
  });

  test.each([
    ['a season for a week', 'key=2026-Q4'],
    ['a season for a week that was said', 'period=week&key=2026-Q4'],
    ['a week for a season', 'period=season&key=2026-W47'],
    ['a week for all time', 'period=all&key=2026-W47'],
    ['all time for a week', 'period=week&key=all'],
    ['all time for a season', 'period=season&key=all'],
    ['a week that its year does not have', 'key=2025-W53'],
    ['week 0', 'key=2026-W00'],
    ['week 54', 'key=2026-W54'],
    ['the next week', 'key=2026-W48'],
    ['the next season', 'period=season&key=2027-Q1'],
    ['a week of long ago', 'key=1999-W01'],
    ['a fifth quarter', 'period=season&key=2026-Q5'],
    ['an empty key', 'key='],
  ])('refuses %s by naming the key', async (_, query) => {
    const refused = await get(`${url}?${query}`);
    expect(refused).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(refused.details).toEqual([expect.objectContaining({ path: expect.stringContaining('key') })]);
  });

  test.each(['period=day', 'sport=chess', 'sport=all', 'scope=everybody', 'sport_center_id=1', 'user=1'])(
    'refuses %s',
    async (query) => {
      expect(await get(`${url}?${query}`)).toMatchObject({ status: 400, code: 'validation_failed' });
    },
  );

  test('refuses a missing center, in either view', async () => {
    for (const scope of ['all', 'friends']) {
      const refused = await get(`${url}?scope=${scope}&sport_center_id=${randomUUID()}`);
      expect(refused).toMatchObject({ status: 404, code: 'sport_center_not_found' });
    }
    expect((await get(`${url}?sport_center_id=${center}`)).status).toBe(200);
  });
});

test.each(['limit=0', 'limit=101', 'limit=ten'])('a page of %s is refused', async (query) => {
  expect(await get(`${BOARD}?${query}`)).toMatchObject({ status: 400, code: 'validation_failed' });
});

test.each(['cursor=x', 'cursor=-1', 'cursor=1.5', 'cursor=123456789', 'cursor=1e3'])(
  '%s was never given and is refused',
  async (query) => {
    expect(await get(`${BOARD}?${query}`)).toMatchObject({ status: 400, code: 'cursor_invalid' });
  },
);

test('the rows around me take neither a limit nor a cursor', async () => {
  for (const query of ['limit=3', 'cursor=1']) expect((await get(`${AROUND}?${query}`)).code).toBe('validation_failed');
});

test('a week is refused until it has begun somewhere on earth', async () => {
  // Kiritimati enters the week at 10:00 UTC on the Sunday before.
  const begins = Date.parse('2026-11-22T10:00:00Z');
  now_ms = begins - 1;
  const early = await api.signIn('Early');
  expect((await get(`${BOARD}?key=2026-W48`, early.headers)).code).toBe('validation_failed');
  now_ms = begins;
  expect((await get(`${BOARD}?key=2026-W48`, early.headers)).data).toMatchObject({
    items: [],
    period: { key: '2026-W48', starts_on: '2026-11-23', ends_on: '2026-11-29', provisional: true },
  });
  now_ms = NOW;
});
