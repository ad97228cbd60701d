import * as chats from '@sendlap/contract/chats.ts';
import * as friends from '@sendlap/contract/friends.ts';
import * as push from '@sendlap/contract/push-subscriptions.ts';
import * as reports from '@sendlap/contract/reports.ts';
import type { Endpoint } from '@sendlap/contract/wire/endpoint.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { OPERATIONS, type Operation, SEEN } from '#test/scenes/people-operations.ts';
import { buildPeopleWorld, type PeopleWorld, ROLES, type Role } from '#test/scenes/people-world.ts';

const TABLES = [
  'friend_requests',
  'friendships',
  'blocks',
  'reports',
  'chats',
  'messages',
  'push_subscriptions',
  'user_events',
  'held_public_ids',
];

let api: TestApp;
const seen_by = new Map<Role, Set<string>>();
beforeAll(async () => {
  api = await buildTestApp({ env: { PUSH_ALLOW_LOCAL: '1' } });
});
afterAll(() => api.close());

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'path' in value && 'access' in value;

function endpointsOf(...modules: object[]): string[] {
  const all = modules.flatMap((module) => Object.values(module) as unknown[]);
  return all.filter(isEndpoint).map(({ method, path }) => `${method} ${path}`);
}

/** All rows between people, to assert that nothing changed. */
async function snapshot(): Promise<string> {
  const texts = await Promise.all(
    TABLES.map(async (table) => {
      const { rows } = await sql<{ rows: string }>`
        select coalesce(string_agg(t::text, chr(10) order by t::text), '') as rows from ${sql.table(table)} t`.execute(
        api.database,
      );
      return `${table}\n${rows[0]?.rows}`;
    }),
  );
  return texts.join('\n');
}

async function send(world: PeopleWorld, { call, make }: Operation, role: Role) {
  const [method = '', path = ''] = call.split(' ');
  const { params = {}, body } = make(world, role);
  const url = path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '');
  return api.app.inject({
    method: method as Endpoint['method'],
    url,
    headers: role === 'anonymous' ? {} : world.people[role].headers,
    ...(body ? { payload: body } : {}),
  });
}

/** Finds others' data in the reply, and data of the caller that must never appear. */
function foundIn(text: string, world: PeopleWorld, role: Role): string[] {
  const isOwn = (label: string) => label.startsWith(`${role} `) && !/ (email|account|text)$/.test(label);
  const found = Object.entries(world.canaries).filter(([label, canary]) => !isOwn(label) && text.includes(canary));
  return found.map(([label]) => label);
}

test('every call of friends, reports, chats and push subscriptions is in the table', () => {
  const calls = endpointsOf(friends, reports, chats, push);
  expect(calls.length).toBeGreaterThan(20);
  expect([...new Set(OPERATIONS.map(({ call }) => call))].sort()).toEqual(calls.sort());
});

describe('each caller gets the answers of the table, and sees of others only that', () => {
  const cases = OPERATIONS.map((operation) => [`${operation.call} on ${operation.on}`, operation] as const);

  test.each(cases)('%s', async (_name, operation) => {
    const world = await buildPeopleWorld(api);
    const replies: Record<string, string> = {};
    const leaks: Record<string, string[]> = {};
    for (const role of ROLES) {
      const before = await snapshot();
      const reply = await send(world, operation, role);
      const { code } = reply.json();
      const same = (await snapshot()) === before;
      expect(reply.statusCode, 'clients drop their token on any 403').not.toBe(403);
      const done = reply.statusCode < 300;
      if (!done) expect(same, `${role} was refused, but something changed`).toBe(true);
      replies[role] = done ? `${reply.statusCode}${same ? ' =' : ''}` : `${reply.statusCode} ${code}`;
      const found = foundIn(reply.body, world, role);
      const allowed = done ? [...SEEN[role], ...(operation.also ?? [])] : [];
      leaks[role] = found.filter((label) => !allowed.includes(label));
      for (const label of found) seen_by.set(role, (seen_by.get(role) ?? new Set()).add(label));
    }
    expect(replies).toEqual({ anonymous: '401 unauthenticated', ...operation.expected });
    expect(leaks).toEqual(Object.fromEntries(ROLES.map((role) => [role, []])));
  });

  test('the search for leaks finds permitted data, so it would find leaked data', () => {
    for (const role of ROLES) {
      const found = seen_by.get(role) ?? new Set();
      expect(
        [...SEEN[role]].filter((label) => !found.has(label)),
        role,
      ).toEqual([]);
    }
  });
});
