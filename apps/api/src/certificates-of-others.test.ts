import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls';
import Fastify from 'fastify';
import { exportJWK, generateKeyPair } from 'jose';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { makeCertificate } from '#test/certificate.ts';
import { startPushEndpoint } from '#test/push-endpoint.ts';
import { startMailServer } from '#test/servers/mail-server.ts';
import { createMailer } from './accounts/pages/mail.ts';
import { createProviderFetch } from './accounts/provider/provider-link.ts';
import { obtainCertificate } from './acme/acme-client.ts';
import { openDatabase } from './database/database.ts';
import { mountTraces } from './metrics/traces.ts';
import { createPushAddresses } from './modules/notifications/push-address.ts';
import { createPushClient } from './modules/notifications/push-client.ts';
import { createVapid } from './modules/notifications/vapid.ts';
import { fetchArea } from './modules/sport-centers/import/fetch-overpass.ts';
import { fetchWithRedirects } from './modules/tiles/archive/redirects.ts';

/** Its certificate is for `localhost`, and no system trusts it. */
const pair = makeCertificate();
const TRUSTED = getCACertificates('default');
const trust = () => setDefaultCACertificates([...TRUSTED, pair.cert]);

const closing: (() => unknown)[] = [];
afterEach(async () => {
  setDefaultCACertificates(TRUSTED);
  for (const close of closing.splice(0)) await close();
});

/** A server with that certificate, and how much has reached it after the handshake. */
interface Other {
  port: number;
  countReceived(): number;
}

async function listen(server: Server): Promise<number> {
  await once(server.listen(0), 'listening');
  return (server.address() as AddressInfo).port;
}

async function openHttps(): Promise<Other> {
  let received = 0;
  const server = createHttpsServer(pair, (_request, response) => {
    received += 1;
    response.end('{}');
  });
  const port = await listen(server);
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port, countReceived: () => received };
}

/** Takes mails over TLS from the start, or after STARTTLS. */
async function openMails(secure: boolean): Promise<Other> {
  const mails = await startMailServer({ ...pair, secure, disabledCommands: [] });
  closing.push(mails.close);
  return { port: Number(new URL(mails.url).port), countReceived: () => mails.received.length };
}

/** Offers TLS as PostgreSQL does, and counts what arrives through it. */
async function openPostgres(): Promise<Other> {
  let received = 0;
  const server = createServer((socket) => {
    socket
      .on('error', () => {})
      .once('data', () => {
        socket.write('S');
        const secure = new TLSSocket(socket, { isServer: true, ...pair });
        secure
          .on('error', () => {})
          .once('data', () => {
            received += 1;
            secure.destroy();
          });
      });
  });
  const port = await listen(server);
  closing.push(() => server.close());
  return { port, countReceived: () => received };
}

const signal = () => AbortSignal.timeout(5_000);

async function sendMail(smtp_url: string): Promise<void> {
  const mailer = createMailer({ smtp_url, from: 'sendlap@server.example' });
  await mailer.send({ to: 'ada@example.org', subject: 'a', text: 'a', html: 'a' }, signal());
}

async function push(origin: string): Promise<void> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const vapid = await createVapid(
    { ...(await exportJWK(privateKey)), kid: 'push', alg: 'ES256' },
    'mailto:a@b.example',
  );
  const client = createPushClient(vapid, createPushAddresses({ allow_local: true }), () => new Date());
  const browsers = await startPushEndpoint();
  const { keys } = browsers.openBrowser().subscription;
  await browsers.close();
  const news = {
    user_id: 'a',
    kind: 'friends',
    subject: 'a',
    other_id: null,
    message_id: null,
    request_id: null,
  } as const;
  await client.send(
    {
      subscription: { id: 'a', user_id: 'a', endpoint: `${origin}/a`, ...keys },
      news: { ...news, activity: null, content: { kind: 'friend_request', name: 'Ada', at: 0 } },
      ...{ payload: '{}', expires_at_ms: Date.now() + 60_000, urgency: 'normal', topic: 't' },
    },
    signal(),
  );
  client.close();
}

async function queryOverpass(endpoint: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sendlap-overpass-'));
  const box = { west: 0, south: 0, east: 0.01, north: 0.01 };
  const options = { endpoint, folder, fresh: true, on_cell: () => {}, wait: async () => {} };
  await fetchArea({ box, key: 'a' }, options).finally(() => rm(folder, { recursive: true }));
}

async function orderCertificate(directory_url: string): Promise<void> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const account_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const options = { directory_url, email: 'a@b.example', account_key, host: 'club.example', signal: signal() };
  await obtainCertificate({ ...options, answerChallenge: () => {} });
}

async function trace(endpoint: string): Promise<void> {
  const app = Fastify();
  mountTraces(app, { endpoint, share: 1, node: 'a' });
  app.get('/', async () => 'a');
  await app.inject('/');
  await app.close();
}

async function query(url: string): Promise<void> {
  const database = openDatabase(url);
  await sql`select 1`.execute(database).finally(() => database.destroy());
}

const GET = { method: 'GET', headers: {}, body: undefined, redirect: 'manual' } as const;

type Caller = [name: string, open: () => Promise<Other>, call: (host: string) => Promise<unknown>];
const CALLERS: Caller[] = [
  [
    'the external provider',
    openHttps,
    (host) => createProviderFetch(new URL(`https://${host}`))(`https://${host}/`, GET),
  ],
  ['maps', openHttps, (host) => fetchWithRedirects(`https://${host}/`, { headers: {}, signal: signal() })],
  ['the Overpass server', openHttps, (host) => queryOverpass(`https://${host}/`)],
  ['the certificate authority', openHttps, (host) => orderCertificate(`https://${host}/`)],
  ['the collector of traces', openHttps, (host) => trace(`https://${host}`)],
  ['a push service', openHttps, (host) => push(`https://${host}`)],
  ['the mail server, by TLS', () => openMails(true), (host) => sendMail(`smtps://${host}`)],
  ['the mail server, by STARTTLS', () => openMails(false), (host) => sendMail(`smtp://${host}`)],
  ['PostgreSQL', openPostgres, (host) => query(`postgres://a@${host}/a?sslmode=verify-full`)],
];

test.each(CALLERS)('%s gets nothing with a certificate that is not trusted', async (_name, open, call) => {
  const { port, countReceived } = await open();
  await call(`localhost:${port}`).catch(() => {});
  expect(countReceived()).toBe(0);
  trust();
  await call(`localhost:${port}`).catch(() => {});
  expect(countReceived()).toBeGreaterThan(0);
});

test.each(CALLERS)('%s gets nothing with a trusted certificate of another host', async (_name, open, call) => {
  const { port, countReceived } = await open();
  trust();
  await call(`127.0.0.1:${port}`).catch(() => {});
  expect(countReceived()).toBe(0);
});
