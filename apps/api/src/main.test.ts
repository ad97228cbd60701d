import { spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTestDatabase, openTestDatabase } from '#test/database/database.ts';
import { findFreePort } from '#test/free-port.ts';
import type { Database } from './database/database.ts';
import { createUserService } from './modules/users/service.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
const SECRET = 'the same long secret on every node of this database';

// Whole servers start here, one of them with a new database of its own.
vi.setConfig({ testTimeout: 90_000 });

interface StartOptions {
  /** Of `npm start`. */
  args?: string[];
  /** Runs before the server is stopped. */
  whileReady?: () => Promise<void>;
}

/** Starts the server as an operator would and stops it once it has printed its address. */
function start(
  settings: Record<string, string>,
  { args = [], whileReady = async () => {} }: StartOptions = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, DATABASE_URL: '', SECRET: '', PORT: '0', LOG_LEVEL: 'silent', ...settings };
    const child = spawn(process.execPath, [MAIN, ...args], { env });
    const ready = Promise.withResolvers<void>();
    void ready.promise
      .then(whileReady)
      .catch(reject)
      .finally(() => child.kill('SIGTERM'));
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      if (stdout.includes('ready at')) ready.resolve();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve({ code, stdout, stderr }));
  });
}

const filesIn = (folder: string) => readdirSync(folder, { recursive: true }).map(String);

describe('the server does not start, and says why in one line,', () => {
  test.each([
    ['a port that is none', { PORT: 'eighty' }, 'PORT'],
    ['a database without the secret that goes with it', { DATABASE_URL: 'postgres://localhost/x' }, 'SECRET'],
    ['a certificate that is not there', { TLS_CERT: '/none.pem', TLS_KEY: '/none.pem' }, 'TLS_CERT'],
    ['a database that is not there', { DATABASE_URL: 'postgres://localhost:1/x', SECRET }, 'DATABASE_URL'],
  ])('with %s', async (_name, settings, names) => {
    const { code, stdout, stderr } = await start(settings);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(new RegExp(`^Sendlap cannot start: ${names}: [^\\n]+\\n$`));
  });
});

test('with an option that is none the server does not start', async () => {
  const { code, stdout, stderr } = await start({}, { args: ['--tablet'] });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^Sendlap cannot start: Unknown option '--tablet'[^\n]*: the only option is --phone\n$/);
});

test('--phone serves https with a certificate of its own CA, which it hands out and explains over plain http', async () => {
  const { url: database_url, drop } = await createTestDatabase();
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'sendlap-start-'));
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
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    const ca = new X509Certificate(Buffer.from(await reply.arrayBuffer())).toString();
    https.get(`https://${address}/healthz`, { ca }, ({ statusCode }) => resolve(statusCode)).on('error', reject);
    seen.https = (await promise) ?? 0;
  }
  try {
    const settings = { DATABASE_URL: database_url, SECRET, DATA_DIR, HOST, PORT };
    const { code, stdout } = await start(settings, { args: ['--phone'], whileReady: look });
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

describe('a start that is refused leaves the disk as it was:', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sendlap-start-'));
    chmodSync(folder, 0o755);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('with a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const PORT = String((other.address() as AddressInfo).port);
    const { code, stdout, stderr } = await start({ DATA_DIR: join(folder, 'data'), PORT, HOST: '127.0.0.1' });
    other.close();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^Sendlap cannot start: PORT: port \d+ [^\n]+\n$/);
    expect(filesIn(folder)).toEqual([]);
  });

  test('with data whose secret is lost', async () => {
    mkdirSync(join(folder, 'postgres'));
    writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '18\n');
    const { code, stdout, stderr } = await start({ DATA_DIR: folder });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^Sendlap cannot start: The secret \S+ is gone[^\n]+\n$/);
    expect(filesIn(folder).sort()).toEqual(['postgres', join('postgres', 'PG_VERSION')]);
  });

  test('with a name that has a typing error, which is told too', async () => {
    const { code, stderr } = await start({ DATA_DIRR: folder, PORT: 'eighty' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^DATA_DIRR is not a setting of Sendlap: did you mean DATA_DIR\?\nSendlap cannot[^\n]+\n$/);
  });
});

test('a role that may change nothing ends the start with what the database said', async () => {
  const { database, url, close } = await openTestDatabase();
  await sql`create role onlooker login`.execute(database);
  try {
    const { code, stderr } = await start({ DATABASE_URL: url.replace('sendlap@', 'onlooker@'), SECRET });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Sendlap cannot start: DATABASE_URL: [^\n]*permission denied[^\n]*\n$/);
  } finally {
    await sql`drop role onlooker`.execute(database);
    await close();
  }
});

test('a map file that cannot be read ends the start, and the database that was started for it with it', async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'sendlap-start-'));
  // As root the database runs as another account, which needs to enter this folder.
  chmodSync(DATA_DIR, 0o755);
  try {
    const { code, stderr } = await start({ DATA_DIR, MAP_STREETS: join(DATA_DIR, 'none.pmtiles') });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Sendlap cannot start: MAP_STREETS: [^\n]+\n$/)]);
    // PostgreSQL removes its pid file when it has stopped.
    expect(filesIn(DATA_DIR).filter((name) => name.includes('postmaster.pid'))).toEqual([]);
    expect(filesIn(DATA_DIR).some((name) => name.includes('PG_VERSION'))).toBe(true);
  } finally {
    rmSync(DATA_DIR, { recursive: true, force: true });
  }
});

test('DATABASE_URL is another server: it is migrated, filled and served, and a second start changes nothing', async () => {
  const { database, url, close } = await openTestDatabase();
  try {
    await addOperator(database);
    for (let time = 1; time <= 2; time += 1) {
      const { code, stdout } = await start({ DATABASE_URL: url, SECRET });
      expect(stdout).toMatch(/^Sendlap is ready at http:\/\/localhost:\d+\n$/);
      expect(code).toBe(0);
    }
  } finally {
    await close();
  }
});

test('a start prints a set-up address until the server has an operator', async () => {
  const { database, url, close } = await openTestDatabase();
  const settings = { DATABASE_URL: url, SECRET };
  const SETUP = /\nSet it up within 24 hours, once: http:\/\/localhost:\d+\/setup#(?:[a-z\d]{4}-?){3}\n$/;
  try {
    expect((await start(settings)).stdout).toMatch(SETUP);
    await addOperator(database);
    expect((await start(settings)).stdout).not.toContain('/setup');
  } finally {
    await close();
  }
});

async function addOperator(database: Database) {
  const person = { issuer: 'test', subject: 'olga', email: '', name: 'Olga', display_name: 'Olga' };
  const user = await createUserService(database).findOrCreate(person);
  await database.insertInto('operators').values({ user_id: user.id }).execute();
}
