import { X509Certificate } from 'node:crypto';
import { chmodSync, readdirSync, rmSync } from 'node:fs';
import https from 'node:https';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startServer } from '#test/app/start-server.ts';
import { readAllTables } from '#test/database/all-tables.ts';
import { createTestDatabase, openTestDatabase } from '#test/database/database.ts';
import { makeDatabaseFolder } from '#test/database/throw-away-server.ts';
import { findFreePort } from '#test/free-port.ts';
import { AcmeServer } from '#test/servers/acme-server.ts';
import type { Database } from './database/database.ts';
import { START_LOCK } from './database/start-lock.ts';
import { NODE_LOCK } from './events/event-channel.ts';
import { createUserService } from './modules/users/service.ts';

const SECRET = 'the same long secret on every node of this database';

// Whole servers start here, one of them with a new database of its own.
vi.setConfig({ testTimeout: 90_000 });

const filesIn = (folder: string) => readdirSync(folder, { recursive: true }).map(String);

test('an unknown option ends the start with one line, after the settings with a typing error, and changes nothing', async () => {
  const { database, url, close } = await openTestDatabase();
  onTestFinished(close);
  const DATA_DIR = makeDatabaseFolder();
  onTestFinished(() => rmSync(DATA_DIR, { recursive: true }));
  const before = await readAllTables(database);
  const settings = { PROT: '8000', DATABASE_URL: url, SECRET, DATA_DIR };
  const { code, stdout, stderr } = await startServer(settings, { args: ['--tablet'] });
  expect([code, stdout]).toEqual([1, '']);
  const [typing_error, refusal, ...more] = stderr.split('\n');
  expect(typing_error).toBe('PROT is not a setting of Sendlap: did you mean PORT?');
  expect(refusal).toMatch(/^Sendlap cannot start: Unknown option '--tablet'.*: the options are --phone and --version$/);
  expect(more).toEqual(['']);
  expect([filesIn(DATA_DIR), await readAllTables(database)]).toEqual([[], before]);
});

test('--phone serves https with a certificate of its own CA, which it hands out and explains over plain http', async () => {
  const { url: database_url, drop } = await createTestDatabase();
  const DATA_DIR = makeDatabaseFolder();
  const [HOST, PORT] = ['127.0.0.1', String(await findFreePort())];
  const address = `${HOST}:${PORT}`;
  const ANDROID = 'Mozilla/5.0 (Linux; Android 15; Pixel 8) Chrome/150.0 Mobile';
  const guide = async (headers: Record<string, string>) =>
    (await fetch(`http://${address}/qr/scan`, { headers })).text();
  const seen: Record<string, string | number> = {};
  async function look(): Promise<void> {
    seen.android = await guide({ 'user-agent': ANDROID });
    seen.iphone = await guide({ 'user-agent': 'iPhone OS 18_0', 'accept-language': 'es-ES' });
    const reply = await fetch(`http://${address}/sendlap-ca.crt`);
    seen.type = reply.headers.get('content-type') ?? '';
    const ca = new X509Certificate(Buffer.from(await reply.arrayBuffer())).toString();
    seen.https = await getHealth(PORT, { ca });
  }
  try {
    const settings = { DATABASE_URL: database_url, SECRET, DATA_DIR, HOST, PORT };
    const { code, stdout } = await startServer(settings, { args: ['--phone'], whileReady: look });
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^Sendlap is ready at https://${address}\n`));
    expect(stdout).toContain(`open http://${address}\n`);
    expect(stdout).toMatch(/Its certificate: Sendlap .+, SHA-256 begins (?:[\dA-F]{2} ?){16}\n/);
    expect(seen).toMatchObject({ type: 'application/x-x509-ca-cert', https: 200 });
    expect(seen.android).toMatch(/<li>Open the phone’s settings and search there for “CA certificate”/);
    expect(seen.iphone).toMatch(/<ol><li>Toca «Permitir»/);
    expect(filesIn(DATA_DIR)).toEqual(['phone', join('phone', 'ca.pem')]);
  } finally {
    rmSync(DATA_DIR, { recursive: true });
    await drop();
  }
});

test('with ACME_EMAIL the server obtains a certificate for its public name, and serves https with it', async () => {
  const { url: database_url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const DATA_DIR = makeDatabaseFolder();
  onTestFinished(() => rmSync(DATA_DIR, { recursive: true }));
  const [PORT, http_port] = [String(await findFreePort()), await findFreePort()];
  const acme = await AcmeServer.start(http_port);
  onTestFinished(() => acme.close());
  const settings = {
    DATABASE_URL: database_url,
    ...{ SECRET, DATA_DIR, PORT, HOST: '127.0.0.1', PUBLIC_URL: 'https://club.example' },
    ...{ ACME_EMAIL: 'owner@club.example', ACME_DIRECTORY: acme.directory_url, HTTP_PORT: String(http_port) },
  };
  let status = 0;
  const { code, stdout } = await startServer(settings, {
    whileReady: async () => {
      status = await getHealth(PORT, { ca: acme.ca_certificate, servername: 'club.example' });
    },
  });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Sendlap is ready at https:\/\/club\.example\n/)]);
  expect([status, acme.issued]).toEqual([200, 1]);
});

test('a map file that cannot be read ends the start, and the database that was started for it with it', async () => {
  const DATA_DIR = makeDatabaseFolder();
  // As root the database runs as another account, which needs to enter this folder.
  chmodSync(DATA_DIR, 0o755);
  try {
    const { code, stderr } = await startServer({ DATA_DIR, MAP_STREETS: join(DATA_DIR, 'none.pmtiles') });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Sendlap cannot start: MAP_STREETS: [^\n]+\n$/)]);
    // PostgreSQL removes its pid file when it has stopped.
    expect(filesIn(DATA_DIR).filter((name) => name.includes('postmaster.pid'))).toEqual([]);
    expect(filesIn(DATA_DIR).some((name) => name.includes('PG_VERSION'))).toBe(true);
  } finally {
    rmSync(DATA_DIR, { recursive: true, force: true });
  }
});

test('DATABASE_URL is another server: it is migrated, filled and served, with a set-up address until it has an operator', async () => {
  const { database, url, close } = await openTestDatabase();
  const settings = { DATABASE_URL: url, SECRET };
  const READY = 'Sendlap is ready at http://localhost:\\d+\\n';
  const SETUP = 'Set it up within 24 hours, once: http://localhost:\\d+/setup#(?:[a-z\\d]{4}-?){3}\\n';
  try {
    const first = await startServer(settings);
    expect([first.code, first.stdout]).toEqual([0, expect.stringMatching(new RegExp(`^${READY}${SETUP}$`))]);
    await addOperator(database);
    const second = await startServer(settings);
    expect([second.code, second.stdout]).toEqual([0, expect.stringMatching(new RegExp(`^${READY}$`))]);
  } finally {
    await close();
  }
});

test('no restore begins while a ready server has no connection for its events yet', async () => {
  const { url, close } = await openTestDatabase();
  const restore = new pg.Client(url);
  await restore.connect();
  onTestFinished(async () => {
    await restore.end();
    await close();
  });
  const tryLock = async (lock: number[]) =>
    (await restore.query<{ is_free: boolean }>(`select pg_try_advisory_lock(${lock}) as is_free`)).rows[0]?.is_free;
  // The connection for the events waits for this lock.
  expect(await tryLock(NODE_LOCK)).toBe(true);
  const { code } = await startServer(
    { DATABASE_URL: url, SECRET },
    {
      whileReady: async () => {
        expect(await tryLock(START_LOCK)).toBe(false);
        await restore.query(`select pg_advisory_unlock(${NODE_LOCK})`);
        await expect.poll(() => tryLock(START_LOCK)).toBe(true);
        expect(await tryLock(NODE_LOCK)).toBe(false);
      },
    },
  );
  expect(code).toBe(0);
});

/** Returns the status of /healthz over https; rejects if the certificate is not trusted. */
async function getHealth(port: string, options: https.RequestOptions): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const path = `https://127.0.0.1:${port}/healthz`;
  https.get(path, options, ({ statusCode = 0 }) => resolve(statusCode)).on('error', reject);
  return promise;
}

async function addOperator(database: Database) {
  const person = { issuer: 'test', subject: 'olga', email: '', name: 'Olga', display_name: 'Olga' };
  const user = await createUserService(database).findOrCreate(person);
  await database.insertInto('operators').values({ user_id: user.id }).execute();
}
