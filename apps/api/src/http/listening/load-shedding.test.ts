import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { startActivity } from '@sendlap/contract/activities.ts';
import { authorize, completeSignIn, getAuthConfig, getMe, logout } from '@sendlap/contract/auth.ts';
import { listBadges } from '@sendlap/contract/badges.ts';
import { checkClaimLine, sendClaimMail } from '@sendlap/contract/center-management/claims.ts';
import { EVENTS_PATH } from '@sendlap/contract/events.ts';
import { listFriends } from '@sendlap/contract/friends.ts';
import { getMapConfig, STREET_TILES_PATH } from '@sendlap/contract/map/tiles.ts';
import { createPushSubscription } from '@sendlap/contract/push-subscriptions.ts';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { shed_requests } from '#api/platform/measurements.ts';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { makeCenter } from '#test/factories.ts';
import { createServer } from '../server.ts';
import type { LoadLimits, OtherServers } from './load-shedding.ts';

/** After how long a request of the whole app is late: at once, or never. */
const NEVER = Number.POSITIVE_INFINITY;

/** On a slow machine a test takes longer than a request may be in work. */
let now_ms = 0;
beforeEach(() => {
  // Whole, so that no sum is rounded: 15 s later must be 15 s.
  now_ms = Math.round(performance.now());
  vi.spyOn(performance, 'now').mockImplementation(() => now_ms);
});
afterEach(() => vi.restoreAllMocks());

/** The whole app, in which calls that read friendships wait until `release`. */
async function openHeldApp(limits: LoadLimits) {
  let center = '';
  const api = await buildTestApp({
    listen: true,
    load_limits: limits,
    seed: async (database) => {
      center = await makeCenter(database);
    },
  });
  const ada = await api.signIn('Ada');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>();
  const holding = api.database.transaction().execute(async (trx) => {
    await sql`lock table friendships in access exclusive mode`.execute(trx);
    isLocked();
    await released;
  });
  await locked;
  const endHold = async () => {
    release();
    await holding;
  };
  return { api, ada, center, release: endHold };
}

/** Resolves once so many calls wait for friendships: until then, another call may take the place of one of them. */
const untilHeld = ({ database }: TestApp, count: number) =>
  vi.waitFor(async () => {
    const { rows } = await sql`
      select pid from pg_locks where not granted and relation = 'friendships'::regclass`.execute(database);
    expect(rows).toHaveLength(count);
  });

const ask = ({ url }: TestApp, { headers }: SignedIn, path: string, more: Record<string, string> = {}) =>
  fetch(url + path, { headers: { ...headers, ...more } });

test('while requests pile up, ordinary ones are refused first, then steps and sign-ins; health never is', async () => {
  const limits = { requests: 2, requests_of_user: NEVER, ordinary_ms: 0, essential_ms: NEVER };
  const { api, ada, center, release } = await openHeldApp(limits);
  const kinds: string[] = [];
  const end = shed_requests.listen(({ kind }) => void kinds.push(kind));
  const start = (op_id: string) =>
    fetch(api.url + startActivity.path, {
      method: 'POST',
      headers: { ...ada.headers, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ op_id, client_id: 'aaaaaaaa-1111-4111-8111-111111111111', sport_center_id: center },
        ...{ sport_type: 'climbing', started_at: new Date(Date.now() - 60_000).toISOString() },
      }),
    });
  try {
    const held = [1, 2].map(() => ask(api, ada, listFriends.path));
    await untilHeld(api, held.length);
    const refused = await ask(api, ada, listBadges.path);
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(2);
    expect(refused.headers.get('x-server-time')).toMatch(/^\d+$/);
    expect(await refused.json()).toMatchObject({ success: false, code: 'unavailable' });
    expect((await ask(api, ada, getMapConfig.path)).status).toBe(503);
    expect(await (await ask(api, ada, getMe.path)).json()).toMatchObject({ success: true });
    expect((await start('bbbbbbbb-1111-4111-8111-111111111111')).status).toBe(201);
    expect(new Set(kinds)).toEqual(new Set(['ordinary']));

    limits.essential_ms = 0;
    expect((await ask(api, ada, getMe.path)).status).toBe(503);
    expect((await start('bbbbbbbb-2222-4111-8111-111111111111')).headers.get('retry-after')).toMatch(/^[2-5]$/);
    for (const path of ['/oidc/interaction/a', '/oidc/auth?client_id=sendlap', '/oidc/auth/a']) {
      const page = await ask(api, ada, path, { accept: 'text/html' });
      expect([path, page.status, page.headers.get('retry-after')]).toEqual([path, 503, '5']);
      expect(await page.text()).toContain('<html');
    }
    const token = await fetch(`${api.url}/oidc/token`, { method: 'POST' });
    expect([token.status, await token.json()]).toMatchObject([503, { code: 'unavailable' }]);
    expect(kinds).toContain('essential');
    for (const path of ['/healthz', '/readyz']) expect((await ask(api, ada, path)).status).toBe(200);
    const stream = await ask(api, ada, EVENTS_PATH);
    expect(stream.status).toBe(200);
    await stream.body?.cancel();

    await release();
    for (const reply of await Promise.all(held)) expect(reply.status).toBe(200);
    for (const path of [listBadges.path, getMe.path]) expect((await ask(api, ada, path)).status).toBe(200);
  } finally {
    end();
    await release();
    await api.close();
  }
});

test('an account with too many requests at once is refused, and others are not', async () => {
  const { api, ada, release } = await openHeldApp({
    ...{ requests: NEVER, requests_of_user: 2 },
    ...{ ordinary_ms: 0, essential_ms: 0 },
  });
  const bea = await api.signIn('Bea');
  try {
    const held = [1, 2].map(() => ask(api, ada, listFriends.path));
    await untilHeld(api, held.length);
    const refused = await ask(api, ada, getMe.path);
    expect([refused.status, await refused.json()]).toMatchObject([429, { code: 'too_many_requests' }]);
    expect(refused.headers.get('retry-after')).toMatch(/^[2-5]$/);
    expect((await ask(api, bea, getMe.path)).status).toBe(200);
    await release();
    for (const reply of await Promise.all(held)) expect(reply.status).toBe(200);
    expect((await ask(api, ada, getMe.path)).status).toBe(200);
  } finally {
    await release();
    await api.close();
  }
});

/** A server for which a second request is one too many; `finish` ends the slow ones. */
async function openSmallServer({ method = 'GET', path = '/v1/slow' } = {}, other_servers?: OtherServers) {
  const load_limits = { requests: 1, requests_of_user: 1, ordinary_ms: 0, essential_ms: 0 };
  const app = await createServer({
    logger: false,
    trust_proxy: undefined,
    public_url: 'http://localhost',
    load_limits,
    other_servers,
  });
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const { promise: begun, resolve: isBegun } = Promise.withResolvers<void>();
  app.route({
    method,
    url: path,
    schema: { hide: true },
    handler: async () => {
      isBegun();
      await finished;
      return {};
    },
  });
  app.get('/v1/quick', { schema: { hide: true } }, async () => ({}));
  app.post('/v1/quick', { schema: { hide: true } }, async () => ({}));
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { app, finish, begun, ...(await createClient(app)) };
}

async function createClient(app: FastifyInstance) {
  const { port } = app.server.address() as AddressInfo;
  const open = async (text: string) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  };
  return { open, askQuick: async () => (await fetch(`http://127.0.0.1:${port}/v1/quick`)).status };
}

test('a request whose caller has left is in work until its reply is ready', async () => {
  const { app, open, begun, finish, askQuick } = await openSmallServer();
  const socket = await open('GET /v1/slow HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await begun;
  const left = once(socket, 'close');
  socket.destroy();
  await left;
  expect(await askQuick()).toBe(503);
  finish();
  await vi.waitFor(async () => expect(await askQuick()).toBe(200));
  await app.close();
});

test.each([
  ['a tile of a map at a host', { method: 'GET', path: `${STREET_TILES_PATH}/:z/:x/:file` }],
  ['the description of a map at a host', getMapConfig],
  ['the state of an external provider', getAuthConfig],
  ['the beginning of a sign-in by an external provider', authorize],
  ['the end of a sign-in by an external provider', completeSignIn],
  ['the end of a session of an external provider', logout],
  ['a mail for a sign-up', { method: 'POST', path: '/oidc/interaction/:uid/sign-up' }],
  ['a mail for a claim', sendClaimMail],
  ['a line on a web site', checkClaimLine],
  ['the address of a push service', createPushSubscription],
])('a request that waits for %s keeps no other request out', async (_, { method, path }) => {
  const others = { has_external_provider: true, has_mail_server: true };
  const { app, open, begun, finish, askQuick } = await openSmallServer({ method, path }, others);
  const socket = await open(`${method} ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n`);
  await begun;
  expect(await askQuick()).toBe(200);
  finish();
  socket.destroy();
  await app.close();
});

test.each([
  ['a sign-in by the own provider', completeSignIn],
  ['a sign-up without mails', { method: 'POST', path: '/oidc/interaction/:uid/sign-up' }],
])('%s is work of this server, and counts', async (_, { method, path }) => {
  const { app, open, begun, finish, askQuick } = await openSmallServer({ method, path });
  const socket = await open(`${method} ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n`);
  await begun;
  expect(await askQuick()).toBe(503);
  finish();
  socket.destroy();
  await app.close();
});

test('a body that arrives slowly keeps no other request out', async () => {
  const { app, open, askQuick } = await openSmallServer();
  const { promise: arrived, resolve: hasArrived } = Promise.withResolvers<void>();
  app.server.on('request', ({ method }) => method === 'POST' && hasArrived());
  const head = 'POST /v1/quick HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9\r\n';
  const socket = await open(`${head}\r\n{`);
  await arrived;
  expect(await askQuick()).toBe(200);
  socket.destroy();
  await app.close();
});

test('a request that hangs is no sign of load', async () => {
  const { app, open, begun, finish, askQuick } = await openSmallServer();
  const socket = await open('GET /v1/slow HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await begun;
  expect(await askQuick()).toBe(503);
  now_ms += 15_000;
  expect(await askQuick()).toBe(200);
  finish();
  socket.destroy();
  await app.close();
});
