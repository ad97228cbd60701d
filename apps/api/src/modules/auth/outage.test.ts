import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authorize, completeSignIn, getMe, login, logout, refresh } from '@sendlap/contract/auth.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { REFRESH_COOKIE } from '#api/sessions/refresh-cookies.ts';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { createTestDatabase } from '#test/database/database.ts';

const OWN = { origin: 'http://localhost:8000', 'sec-fetch-site': 'same-origin' };

/** A proxy socket in front of the database server that can be cut. */
async function createLine(database_url: string) {
  const target = new URL(database_url);
  const target_host = target.searchParams.get('host') ?? target.hostname;
  const port = target.searchParams.get('port') ?? (target.port || '5432');
  const folder = await mkdtemp(join(tmpdir(), 'line-'));
  const path = join(folder, `.s.PGSQL.${port}`);
  const sockets = new Set<Socket>();
  let server: Server;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    return socket;
  };
  const open = () =>
    new Promise<void>((resolve) => {
      server = createServer((near) => {
        const far = target_host.startsWith('/')
          ? connect(join(target_host, `.s.PGSQL.${port}`))
          : connect(Number(port), target_host);
        keep(near).pipe(keep(far)).pipe(near);
      }).listen(path, resolve);
    });
  const cut = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  await open();
  target.searchParams.set('host', folder);
  return { url: target.href, open, cut, remove: () => rm(folder, { recursive: true }) };
}

let own: Awaited<ReturnType<typeof createTestDatabase>>;
let line: Awaited<ReturnType<typeof createLine>>;
let test_app: TestApp;
beforeAll(async () => {
  own = await createTestDatabase();
  line = await createLine(own.url);
  test_app = await buildTestApp({ database_url: line.url });
});
afterAll(async () => {
  await test_app.close();
  line.cut();
  await line.remove();
  await own.drop();
});

test('a database that is out of reach is 503 everywhere, and ends no session', async () => {
  const ada = await test_app.signIn('Ada');
  const cookie = `__Host-sendlap_refresh=${ada.refresh_token}`;
  const redirect_uri = encodeURIComponent('http://localhost:8000/auth/callback');
  const requests = [
    { method: 'POST', url: refresh.path, headers: { ...OWN, cookie } },
    { method: 'GET', url: getMe.path, headers: ada.headers },
    { method: 'GET', url: `${authorize.path}?redirect_uri=${redirect_uri}` },
    { method: 'POST', url: completeSignIn.path, headers: OWN, payload: { code: 'x', state: 'y' } },
    { method: 'POST', url: login.path, headers: OWN, payload: { email: 'ada@example.org', password: 'any' } },
    { method: 'POST', url: logout.path, headers: { ...OWN, cookie } },
  ] as const;

  line.cut();
  for (const request of requests) {
    const reply = await test_app.app.inject(request);
    expect([request.url, reply.statusCode, reply.json().code]).toEqual([request.url, 503, 'unavailable']);
    expect(reply.headers['retry-after']).toBeDefined();
    if (request.url === refresh.path) expect(reply.cookies).toEqual([]);
  }

  const link = `/oidc/reset?token=${'A'.repeat(43)}`;
  const page = await test_app.app.inject({ url: link, headers: { accept: 'text/html', 'accept-language': 'es' } });
  expect([page.statusCode, page.headers['retry-after']]).toEqual([503, '5']);
  expect(page.body).toContain('No disponible en este momento');

  await line.open();
  const refreshed = await test_app.app.inject(requests[0]);
  expect(refreshed.statusCode).toBe(200);
  const me = await test_app.app.inject(requests[1]);
  expect(me.statusCode).toBe(200);
});

test('a sign-out that did not reach the database leaves the cookie, and its repeat ends the session', async () => {
  const bo = await test_app.signIn('Bo');
  const out = {
    method: 'POST',
    url: logout.path,
    headers: { ...OWN, cookie: `${REFRESH_COOKIE}=${bo.refresh_token}` },
  } as const;
  line.cut();
  const lost = await test_app.app.inject(out);
  expect([lost.statusCode, lost.cookies.map(({ name }) => name)]).toEqual([503, ['__Host-sendlap_signed_out']]);
  await line.open();
  // Until the logout is repeated the browser is signed out all the same.
  const cookies = `${REFRESH_COOKIE}=${bo.refresh_token}; __Host-sendlap_signed_out=1`;
  const back = await test_app.app.inject({ method: 'POST', url: refresh.path, headers: { ...OWN, cookie: cookies } });
  expect([back.statusCode, back.json().code]).toEqual([401, 'refresh_invalid']);
  const repeated = await test_app.app.inject(out);
  expect(repeated.statusCode).toBe(200);
  expect(repeated.cookies.find(({ name }) => name === REFRESH_COOKIE)?.value).toBe('');
  expect((await test_app.app.inject({ url: getMe.path, headers: bo.headers })).statusCode).toBe(401);
});
