import * as audit from '@sendlap/contract/server-management/audit.ts';
import * as overview from '@sendlap/contract/server-management/overview.ts';
import * as people from '@sendlap/contract/server-management/people.ts';
import * as reports from '@sendlap/contract/server-management/reports.ts';
import * as reviews from '@sendlap/contract/server-management/reviews.ts';
import type { Endpoint } from '@sendlap/contract/wire/endpoint.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRefereeService } from '#api/modules/referees/service.ts';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { readAllTables } from '#test/database/all-tables.ts';
import { makeCenter } from '#test/factories.ts';

const UNKNOWN = '3f2b8c1e-6f0d-4f5e-9a57-0c1d2e3f4a5b';
const REASON = { reason: 'Because' };

const endpoints = [audit, overview, people, reports, reviews]
  .flatMap((module) => Object.values(module) as unknown[])
  .filter((value): value is Endpoint => typeof value === 'object' && value !== null && 'access' in value);

/** For each call: a good body, and the status for an operator. The paths name another athlete, and a report that does not exist. */
const CELLS: Record<string, { body?: object; operator: number }> = {
  'GET /v1/manage/audit': { operator: 200 },
  'GET /v1/manage/centers': { operator: 200 },
  'GET /v1/manage/overview': { operator: 200 },
  'GET /v1/manage/people': { operator: 200 },
  'GET /v1/manage/people/:public_id': { operator: 200 },
  'POST /v1/manage/people': { body: { email: 'new@example.org', name: 'New' }, operator: 201 },
  'POST /v1/manage/people/:public_id/password-link': { operator: 409 },
  'POST /v1/manage/operators/invites': { operator: 201 },
  'PUT /v1/manage/people/:public_id/operator': { operator: 200 },
  'DELETE /v1/manage/people/:public_id/operator': { operator: 200 },
  'PUT /v1/manage/people/:public_id/suspension': { body: REASON, operator: 200 },
  'DELETE /v1/manage/people/:public_id/suspension': { operator: 200 },
  'POST /v1/manage/people/:public_id/erasure': { body: REASON, operator: 200 },
  'GET /v1/manage/reports': { operator: 200 },
  'POST /v1/manage/reports/:id/outcome': { body: { outcome: 'dismissed', ...REASON }, operator: 404 },
  'GET /v1/manage/reviews': { operator: 200 },
  'POST /v1/manage/reviews/keep': {
    body: { kind: 'one_athlete', scanner: 'a', athlete: 'b', ...REASON },
    operator: 404,
  },
  'POST /v1/manage/reviews/withdrawals': { body: { decision_ids: [UNKNOWN], ...REASON }, operator: 200 },
};

let api: TestApp;
let target: SignedIn;
const callers: Record<string, SignedIn | null> = { anonymous: null };
beforeAll(async () => {
  api = await buildTestApp();
  for (const name of ['athlete', 'referee', 'locked operator', 'operator']) callers[name] = await api.signIn(name);
  target = await api.signIn('Ada');
  await createRefereeService(api.database).grant({
    user_id: idOf('referee'),
    sport_center_id: await makeCenter(api.database),
    sport_types: ['climbing'],
    granted_by: 'test',
    valid_from: new Date(0),
    valid_until: null,
  });
  for (const name of ['locked operator', 'operator'])
    await api.database
      .insertInto('operators')
      .values({ user_id: idOf(name) })
      .execute();
  await api.app.inject({ method: 'DELETE', url: '/v1/users/me', headers: callers['locked operator']?.headers ?? {} });
});
afterAll(() => api.close());

function idOf(name: string): string {
  return callers[name]?.user.id ?? '';
}

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

async function call(caller: string, endpoint: Endpoint) {
  const url = endpoint.path.replace(':public_id', target.user.public_id).replace(':id', UNKNOWN);
  const payload = CELLS[nameOf(endpoint)]?.body;
  const headers = callers[caller]?.headers ?? {};
  const reply = await api.app.inject({ method: endpoint.method, url, headers, ...(payload && { payload }) });
  return { status: reply.statusCode, code: reply.json().code as string | undefined };
}

test('the table has every call for operators at /v1/manage, and no other call exists there', () => {
  expect(endpoints.map(nameOf).sort()).toEqual(Object.keys(CELLS).sort());
  expect(new Set(endpoints.map(({ access }) => access))).toEqual(new Set(['operator']));
});

describe('only an operator passes, and a refusal changes nothing:', () => {
  test.each(endpoints.map((each) => [nameOf(each), each] as const))('%s', async (name, endpoint) => {
    const before = await readStable();
    for (const [caller, status, code] of [
      ['anonymous', 401, 'unauthenticated'],
      ['athlete', 422, 'not_an_operator'],
      ['referee', 422, 'not_an_operator'],
      ['locked operator', 401, 'unauthenticated'],
    ] as const)
      expect({ caller, ...(await call(caller, endpoint)) }).toEqual({ caller, status, code });
    expect(await readStable()).toEqual(before);
    expect(await call('operator', endpoint)).toMatchObject({ status: CELLS[name]?.operator });
  });
});

/** All tables but those that each request changes. */
async function readStable() {
  const { sessions: _, request_counts: __, refresh_tokens: ___, ...tables } = await readAllTables(api.database);
  return tables;
}
