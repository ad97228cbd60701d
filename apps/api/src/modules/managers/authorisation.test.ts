import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { loadEndpoints, operationOf } from '#test/contract-endpoints.ts';
import { makeCenter } from '#test/factories.ts';
import { callEndpoint, makeCallers } from '#test/scenes/managed-center.ts';

/** Every call for managers, with the rest of a request that a manager may make. */
const CALLS: Record<string, { params?: Record<string, string>; body?: object }> = {
  'GET /v1/sport-centers/:id/details': {},
  'PATCH /v1/sport-centers/:id/details': { body: { version: 0, phone: '+34 948 000 001' } },
  'GET /v1/sport-centers/:id/hours': {},
  'PUT /v1/sport-centers/:id/hours': { body: { version: 0, weekly: Array(7).fill([]), closed_days: [] } },
  'GET /v1/sport-centers/:id/appeals': {},
  'GET /v1/sport-centers/:id/reviews': {},
  'GET /v1/sport-centers/:id/weeks': {},
  'GET /v1/sport-centers/:id/poster': {},
  'GET /v1/sport-centers/:id/staff': {},
  'POST /v1/sport-centers/:id/referees/invites': {},
  'DELETE /v1/sport-centers/:id/referees/:public_id': {},
  'POST /v1/sport-centers/:id/managers/invites': {},
  'DELETE /v1/sport-centers/:id/managers/:public_id': {},
  'POST /v1/sport-centers/:id/kiosks/invites': {},
  'DELETE /v1/sport-centers/:id/kiosks': {},
};

const ENDPOINTS = [...(await loadEndpoints()).values()].filter(({ access }) => access === 'manager');

let api: TestApp;
let center: string;
let callers: Awaited<ReturnType<typeof makeCallers>>;
beforeAll(async () => {
  const seed = async (database: TestApp['database']) => {
    center = await makeCenter(database);
  };
  api = await buildTestApp({ seed });
  callers = await makeCallers(api, center);
});
afterAll(() => api.close());

test('the table names every call for managers', () => {
  expect(ENDPOINTS.map(operationOf).sort()).toEqual(Object.keys(CALLS).sort());
});

/** Everything that a call could have changed. */
async function readState() {
  const tables = [
    'managers',
    'referees',
    'kiosks',
    'invites',
    'audit_entries',
    'sport_centers',
    'center_edits',
    'center_hours',
  ] as const;
  return await Promise.all(tables.map((table) => api.database.selectFrom(table).selectAll().execute()));
}

describe('no caller but the permitted ones is admitted to', () => {
  test.each(ENDPOINTS.map((each) => [operationOf(each), each] as const))('%s', async (name, endpoint) => {
    const { athlete, referee, manager, elsewhere, operator, locked } = callers;
    const request = CALLS[name] ?? {};
    const codeOf = async (who: typeof athlete | null, id = center) => {
      const params = { id, public_id: (who ?? manager).user.public_id, ...request.params };
      const { success, code } = await callEndpoint(api, endpoint, { who, ...request, params });
      return success ? 'done' : code;
    };
    const before = await readState();
    expect({
      anonymous: await codeOf(null),
      athlete: await codeOf(athlete),
      'referee here': await codeOf(referee),
      'manager elsewhere': await codeOf(elsewhere),
      'manager elsewhere, in capitals': await codeOf(elsewhere, center.toUpperCase()),
      'locked manager': await codeOf(locked),
    }).toEqual({
      anonymous: 'unauthenticated',
      athlete: 'not_a_manager',
      'referee here': 'not_a_manager',
      'manager elsewhere': 'not_a_manager',
      'manager elsewhere, in capitals': 'not_a_manager',
      // Locking an account ends its sessions.
      'locked manager': 'unauthenticated',
    });
    expect(await readState()).toEqual(before);
    expect({ operator: await codeOf(operator), 'manager here': await codeOf(manager) }).toEqual({
      operator: 'done',
      'manager here': 'done',
    });
    // One of the calls is to leave.
    await api.database
      .insertInto('managers')
      .values({ user_id: manager.user.id, sport_center_id: center })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
});
