import { listFriends } from '@sendlap/contract/friends.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { createLogger } from '../platform/logger.ts';
import * as measurements from '../platform/measurements.ts';

const REQUEST_ID = /^[0-9a-f]{12}$/;

let lines: string[] = [];
let api: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  const logger = createLogger('info', false, { write: (line) => void lines.push(line) }).child({ node: 'here:8000' });
  api = await buildTestApp({ logger });
  ada = await api.signIn('Ada');
});
afterAll(() => api.close());
beforeEach(() => {
  lines = [];
});

/** The lines of requests, in order of their arrival. */
const requestLines = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.startsWith('request '));

/** Waits for the one line of the request that was answered last. */
async function onlyLine(): Promise<Record<string, unknown>> {
  await expect.poll(requestLines).toHaveLength(1);
  return requestLines()[0];
}

test.each([
  ['without a session', listFriends.path, undefined, 401, 'unauthenticated', listFriends.path],
  ['at an address without a route', '/v1/nothing?near=43.26', 'ada', 404, 'not_found', undefined],
  ['with a part that is wrong', `${listFriends.path}?more=1`, 'ada', 400, 'validation_failed', listFriends.path],
])('a request %s is refused with an id, which its one line has too', async (_why, url, who, status, code, route) => {
  const reply = await api.app.inject({ url, ...(who ? { headers: ada.headers } : {}) });
  const request_id = reply.headers['x-request-id'];
  expect([reply.statusCode, request_id]).toEqual([status, expect.stringMatching(REQUEST_ID)]);
  expect(Object.keys(reply.json()).sort()).toEqual(expect.arrayContaining(['code', 'error', 'message', 'success']));
  expect(JSON.stringify(reply.json())).not.toContain(String(request_id));
  const line = await onlyLine();
  expect(line).toMatchObject({ msg: 'request refused', node: 'here:8000', request_id, status, code });
  expect([line.route, line.req]).toEqual([route, { method: 'GET', path: url.split('?')[0] }]);
  expect(JSON.stringify(line)).not.toContain('43.26');
});

test('a request that fails here is logged with its error, its route, its user and its id', async () => {
  await sql`alter table friendships rename to friendships_away`.execute(api.database);
  const reply = await api.app.inject({ url: listFriends.path, headers: ada.headers });
  await sql`alter table friendships_away rename to friendships`.execute(api.database);
  expect([reply.statusCode, reply.headers['x-request-id']]).toEqual([500, expect.stringMatching(REQUEST_ID)]);
  expect(await onlyLine()).toMatchObject({
    ...{ msg: 'request failed', request_id: reply.headers['x-request-id'], code: 'internal_error', status: 500 },
    ...{ route: listFriends.path, user_id: ada.user.id, err: { message: expect.stringContaining('friendships') } },
  });
});

test('a request that succeeds has one line, with its user, and needs no id to quote', async () => {
  const reply = await api.app.inject({ url: listFriends.path, headers: ada.headers });
  expect([reply.statusCode, reply.headers['x-request-id']]).toEqual([200, undefined]);
  const line = await onlyLine();
  expect(line).toMatchObject({ msg: 'request completed', route: listFriends.path, status: 200, user_id: ada.user.id });
  expect(line.request_id).toMatch(REQUEST_ID);
});

test.each(['/v1/%ff', '/oidc/nothing', '/assets/nothing'])('an error at %s has an id as well', async (url) => {
  const reply = await api.app.inject({ url });
  expect(reply.statusCode).toBeGreaterThanOrEqual(400);
  expect(reply.headers['x-request-id']).toMatch(REQUEST_ID);
});

test('without METRICS_PORT nothing is measured', () => {
  const measured = Object.entries(measurements).filter(([, { is_observed }]) => is_observed);
  expect(measured).toEqual([]);
});
