import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServer } from './server.ts';
import { answerWrongHost } from './wrong-address.ts';

const PAGE = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8';

describe('a server at https://club.example', () => {
  let app: FastifyInstance;
  beforeAll(async () => {
    const public_url = 'https://club.example';
    app = await createServer({ logger: false, trust_proxy: undefined, public_url });
    answerWrongHost(app, public_url, (path) => !path.startsWith('/v1'));
    app.get('/*', async () => 'the app');
  });
  afterAll(() => app.close());

  const ask = (headers: Record<string, string>, url = '/dashboard') =>
    app.inject({ url, headers: { accept: PAGE, ...headers } });

  test.each([
    ['another name', 'other.example', 'PUBLIC_URL=https://other.example'],
    ['another port', 'club.example:8000', 'PUBLIC_URL=https://club.example:8000'],
    ['its address', '203.0.113.9', 'PUBLIC_URL=https://203.0.113.9'],
    ['its address in the local network', '192.168.1.5:8000', 'npm start -- --phone'],
    ['this machine', '127.0.0.1:8000', 'PUBLIC_URL=http://127.0.0.1:8000'],
  ])('opened by %s answers with a page that names its address and the setting', async (_name, host, setting) => {
    const reply = await ask({ host });
    expect(reply.statusCode).toBe(421);
    expect(reply.headers['cache-control']).toBe('no-store');
    for (const part of [`You opened http://${host}.`, 'href="https://club.example/"', setting])
      expect(reply.body).toContain(part);
  });

  test('says it in Spanish', async () => {
    expect((await ask({ host: 'otro.example', 'accept-language': 'es-ES,es' })).body).toContain(
      'Has abierto http://otro.example.',
    );
  });

  test.each([
    ['its own name', { host: 'club.example' }],
    ['its own name with the usual port', { host: 'club.example:443' }],
    ['a proxy that passes on its name', { host: 'club.example', 'x-forwarded-for': '198.51.100.7' }],
    ['a proxy that says its name elsewhere', { host: 'app:8000', 'x-forwarded-host': 'club.example' }],
    ['a proxy that says another name beside the right one', { host: 'club.example', 'x-forwarded-host': 'inner' }],
    ['a proxy that hides the name', { host: 'app:8000', 'x-forwarded-for': '198.51.100.7' }],
  ])('opened by %s answers with the app', async (_name, headers) => {
    expect((await ask(headers)).body).toBe('the app');
  });

  test('recognises another name behind a proxy', async () => {
    const reply = await ask({ host: 'app:8000', 'x-forwarded-host': 'other.example, inner' });
    expect(reply.statusCode).toBe(421);
    expect(reply.body).toContain('You opened http://other.example.');
  });

  test('answers programs and calls at any host', async () => {
    expect((await ask({ host: 'app:8000', accept: '*/*' })).body).toBe('the app');
    expect((await ask({ host: 'app:8000' }, '/v1/center')).body).toBe('the app');
  });
});

test.each([
  ['https://192.168.1.5:80', '192.168.1.5:80'],
  ['https://192.168.1.5:443', '192.168.1.5'],
])('a server at %s answers at %s with the app', async (public_url, host) => {
  const app = await createServer({ logger: false, trust_proxy: undefined, public_url });
  answerWrongHost(app, public_url, () => true);
  app.get('/', async () => 'the app');
  expect((await app.inject({ url: '/', headers: { accept: PAGE, host } })).body).toBe('the app');
  await app.close();
});
