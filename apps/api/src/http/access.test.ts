import type { Access, Endpoint } from '@sendlap/contract/wire/endpoint.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { loadEndpoints, operationOf } from '#test/contract-endpoints.ts';
import { makeCenter } from '#test/factories.ts';
import { ROWS } from '#test/matrix/play.ts';
import { findWithoutCaller, findWithoutSuccess, findWithoutThing } from '#test/matrix/row-gaps.ts';
import { makeCallers } from '#test/scenes/managed-center.ts';

const CALLERS = ['anonymous', 'athlete', 'referee', 'elsewhere', 'manager', 'operator'] as const;
type Caller = (typeof CALLERS)[number];

/** Whom each kind of endpoint refuses, and with which code; all others are admitted. */
const REFUSED: Record<Exclude<Access, 'cookie' | 'kiosk'>, Partial<Record<Caller, string>>> = {
  anyone: {},
  user: { anonymous: 'unauthenticated' },
  operator: {
    anonymous: 'unauthenticated',
    athlete: 'not_an_operator',
    referee: 'not_an_operator',
    elsewhere: 'not_an_operator',
    manager: 'not_an_operator',
  },
  manager: {
    anonymous: 'unauthenticated',
    athlete: 'not_a_manager',
    referee: 'not_a_manager',
    elsewhere: 'not_a_manager',
  },
};

const ENDPOINTS = [...(await loadEndpoints()).values()].filter(
  (endpoint): endpoint is Endpoint & { access: keyof typeof REFUSED } => endpoint.access in REFUSED,
);

let api: TestApp;
let center: string;
let callers: Awaited<ReturnType<typeof makeCallers>>;
beforeAll(async () => {
  api = await buildTestApp();
  center = await makeCenter(api.database);
  callers = await makeCallers(api, center);
});
afterAll(() => api.close());

test('the contract has endpoints of each kind', () => {
  expect(new Set(ENDPOINTS.map(({ access }) => access))).toEqual(new Set(Object.keys(REFUSED)));
});

test('the matrix of `npm run faults -- matrix` has a row for each endpoint', async () => {
  const known = new Set(ROWS.map(({ endpoint }) => operationOf(endpoint)));
  const all = [...(await loadEndpoints()).values()].map(operationOf);
  expect(all.filter((operation) => !known.has(operation))).toEqual([]);
});

test('the matrix sees each change succeed, or says why it does not', () => {
  expect(findWithoutSuccess()).toEqual([]);
});

test('the matrix calls each endpoint as every kind of caller', () => {
  expect(findWithoutCaller()).toEqual([]);
});

test('the matrix names things of another user, and things that do not exist, wherever an address has an id', () => {
  expect(findWithoutThing()).toEqual([]);
});

test.each(ENDPOINTS.map((endpoint) => [operationOf(endpoint), endpoint] as const))(
  '%s admits whom it should, and no other',
  async (_name, { method, path, access }) => {
    for (const name of CALLERS) {
      const who: SignedIn | null = name === 'anonymous' ? null : callers[name];
      // Beyond its access every call is refused: none has such a query.
      const url = `${path.replace(':id', center).replaceAll(/:\w+/g, 'x')}?beyond=access`;
      const { code } = (await api.app.inject({ method, url, headers: who?.headers ?? {} })).json();
      expect([name, code]).toEqual([name, REFUSED[access][name] ?? 'validation_failed']);
    }
  },
);
