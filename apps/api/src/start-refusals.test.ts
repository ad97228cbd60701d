import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type StartOptions, startServer } from '#test/app/start-server.ts';
import { reasonAgainstSystemPort, reasonAgainstUnprivileged, UNPRIVILEGED } from '#test/app/unprivileged.ts';
import { makeCertificate } from '#test/certificate.ts';
import { readAllTables } from '#test/database/all-tables.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { openStandbyPostgres } from '#test/database/standby-postgres.ts';
import { openOldPostgres, openRefusingPostgres } from '#test/servers/postgres-imposters.ts';
import { openTransactionPooler } from '#test/servers/transaction-pooler.ts';
import { testUnlessMissing } from '#test/skip-without.ts';
import { createSecrets } from './database/secrets.ts';
import { loadSigningKeys } from './database/signing-keys.ts';
import { START_LOCK } from './database/start-lock.ts';

// Each row starts a whole server.
vi.setConfig({ testTimeout: 90_000 });

const SECRET = 'the same long secret on every node of this database';
const ROLE = 'start_onlooker';

let own: Awaited<ReturnType<typeof openTestDatabase>>;
let folder: string;

beforeAll(async () => {
  own = await openTestDatabase();
  await sql`create role ${sql.id(ROLE)} login`.execute(own.database);
  const secrets = createSecrets(SECRET);
  await loadSigningKeys({ database: own.database, secrets, purpose: 'access tokens', alg: 'EdDSA' });
});
afterAll(async () => {
  await sql`drop owned by ${sql.id(ROLE)}`.execute(own.database);
  await sql`drop role ${sql.id(ROLE)}`.execute(own.database);
  await own.close();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sendlap-start-'));
  // As root the database runs as another account, which needs to enter this folder.
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'file'), '');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

/** Runs statements of the database's owner now, and others after the test. */
async function change(statement: string, undo: string): Promise<void> {
  await sql.raw(statement).execute(own.database);
  onTestFinished(async () => void (await sql.raw(undo).execute(own.database)));
}

/** The database's address as a role that may do nothing, and with it the rights of this statement. */
async function asRole(grant: string, revoke: string): Promise<{ DATABASE_URL: string }> {
  await change(grant, revoke);
  return { DATABASE_URL: own.url.replace('sendlap@', `${ROLE}@`) };
}

const GRANT_TABLES = `grant select, insert, update, delete on all tables in schema public to ${ROLE}`;
const REVOKE_TABLES = `revoke all on all tables in schema public from ${ROLE}`;

/** Each row arranges a mistake and returns the settings of the start. */
const ROWS: [mistake: string, arrange: () => Promise<Record<string, string>> | Record<string, string>, line: RegExp][] =
  [
    ['a setting of no meaning', () => ({ DRAIN_S: 'soon' }), /^DRAIN_S: must be whole seconds/],
    ['a port that is taken', occupyPort, /^PORT: port \d+ on 127.0.0.1 is taken/],
    [
      'a port of the metrics that is taken',
      async () => ({ METRICS_PORT: (await occupyPort()).PORT }),
      /^METRICS_PORT: port \d+ on 127.0.0.1 is taken/,
    ],
    ['an address of another machine', () => ({ HOST: '203.0.113.7' }), /^HOST: 203.0.113.7 is not an address of this/],
    [
      'a certificate that is missing',
      () => tlsFiles({ TLS_CERT: join(folder, 'none.pem') }),
      /^TLS_CERT: the file \S+none.pem cannot be read \(ENOENT\)/,
    ],
    [
      'a certificate of another form',
      () => tlsFiles({ TLS_CERT: join(folder, 'file') }),
      /^TLS_CERT: the file .* PEM form/,
    ],
    [
      'a private key of another form',
      () => tlsFiles({ TLS_KEY: join(folder, 'file') }),
      /^TLS_KEY: .* no private key in/,
    ],
    ['a bad port of the metrics', () => ({ METRICS_PORT: 'yes' }), /^METRICS_PORT: must be a port number/],
    ['a data folder below a file', () => ({ DATA_DIR: join(folder, 'file', 'data') }), /DATA_DIR/],
    ['a data folder that is a file', () => ({ DATA_DIR: join(folder, 'file') }), /[Ss]et DATA_DIR to another folder/],
    ['a database into which a backup is restored', holdRestore, /^DATABASE_URL: a backup is being restored into/],
    ['a database without its secret', () => ({ SECRET: '' }), /^SECRET: must be set beside DATABASE_URL/],
    ['another secret', () => ({ SECRET: SECRET.toUpperCase() }), /^SECRET: this is not the secret/],
    [
      'a database on a port where no server listens',
      () => ({ DATABASE_URL: 'postgres://ada@localhost:1/x' }),
      /^DATABASE_URL: the database cannot be reached/,
    ],
    ['a wrong password', () => imposter(openRefusingPostgres('28P01', 'no')), /refuses this user or password/],
    [
      'a database that is missing',
      () => imposter(openRefusingPostgres('3D000', 'database "x" does not exist')),
      /create it/,
    ],
    ['an old PostgreSQL', () => imposter(openOldPostgres('14.22')), /this is PostgreSQL 14.22, and Sendlap needs 15/],
    [
      'a role that may not read',
      () => asRole('select 1', 'select 1'),
      /permission denied: the role start_onlooker may not read and write the table/,
    ],
    [
      'a role that may not create tables for a new version',
      async () => {
        await pretendOldSchema();
        return asRole(GRANT_TABLES, REVOKE_TABLES);
      },
      /permission denied: the role start_onlooker may not create tables/,
    ],
    [
      'a role that may not send notifications',
      async () => {
        await change(
          'revoke execute on function pg_notify(text, text) from public',
          'grant execute on function pg_notify(text, text) to public',
        );
        return asRole(GRANT_TABLES, REVOKE_TABLES);
      },
      /permission denied: the role may not send notifications/,
    ],
    [
      'a role that may not take the lock of a start',
      async () => {
        const lock = 'function pg_try_advisory_xact_lock_shared(integer, integer)';
        await change(`revoke execute on ${lock} from public`, `grant execute on ${lock} to public`);
        return asRole(GRANT_TABLES, REVOKE_TABLES);
      },
      /the lock that keeps a restore from beginning cannot be taken \(permission denied for function \w+\): start again/,
    ],
    [
      'a database that takes no writes',
      async () => {
        const name = new URL(own.url).pathname.slice(1);
        await change(
          `alter database ${name} set default_transaction_read_only = on`,
          `set transaction read write; alter database ${name} reset default_transaction_read_only`,
        );
        return {};
      },
      /the database takes no writes/,
    ],
    ['a standby', () => imposter(openStandbyPostgres()), /this server is a standby, which takes no writes: name the/],
    [
      'a database of another encoding',
      makeAsciiDatabase,
      /the encoding SQL_ASCII, which cannot store every text: create/,
    ],
    [
      'a pooler in transaction mode',
      () => imposter(openTransactionPooler(own.url)),
      /^DATABASE_URL: notifications .*PgBouncer.*set DATABASE_URL to/,
    ],
    [
      'a pooler that refuses our settings',
      () => imposter(openRefusingPostgres('08P01', 'unsupported startup parameter: statement_timeout')),
      /PgBouncer refuses.*unsupported startup parameter.*set DATABASE_URL to/,
    ],
    [
      'a database of a newer version',
      async () => {
        await change(
          `insert into kysely_migration (name, timestamp) values ('999-of-tomorrow', now()::text)`,
          `delete from kysely_migration where name = '999-of-tomorrow'`,
        );
        return {};
      },
      /^DATABASE_URL: a newer Sendlap has changed this database/,
    ],
  ];

test.each(ROWS)(
  '%s ends the start with one line and exit code 1, and changes nothing',
  async (_mistake, arrange, line) => expectRefusal(await arrange(), line),
);

const reason = reasonAgainstUnprivileged();

testUnlessMissing(
  reason ?? reasonAgainstSystemPort(81),
  'an unprivileged account may not listen on port 81',
  async () => {
    await expectRefusal({ PORT: '81' }, /^PORT: this account may not listen on port 81/, { uid: UNPRIVILEGED.uid });
  },
);

testUnlessMissing(reason, 'an account may not start on the data folder of another one', async () => {
  const data = join(folder, 'others');
  mkdirSync(join(data, 'postgres'), { recursive: true });
  writeFileSync(join(data, 'postgres', 'PG_VERSION'), '18\n');
  writeFileSync(join(data, 'secret'), SECRET);
  chownSync(join(data, 'secret'), UNPRIVILEGED.uid, UNPRIVILEGED.gid);
  const line = /belongs to another account \(uid 0\): start Sendlap as that account/;
  await expectRefusal({ DATA_DIR: data }, line, { uid: UNPRIVILEGED.uid });
});

async function expectRefusal(changes: Record<string, string>, line: RegExp, options: StartOptions = {}): Promise<void> {
  const DATA_DIR = join(folder, 'data');
  const settings = { DATABASE_URL: own.url, SECRET, DATA_DIR, HOST: '127.0.0.1', ...changes };
  // The embedded database is for the rows about its folder.
  if (settings.DATA_DIR !== DATA_DIR) Object.assign(settings, { DATABASE_URL: '', SECRET: '' });
  const before = await snapshot();
  const { code, stdout, stderr } = await startServer(settings, options);
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^Sendlap cannot start: [^\n]+\n$/)]);
  expect(stderr.slice('Sendlap cannot start: '.length)).toMatch(line);
  expect(await snapshot()).toEqual(before);
}

test('--version prints the version alone, without a look at settings or database', async () => {
  const run = await startServer({ DRAIN_S: 'soon' }, { args: ['--version'] });
  expect(run).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' });
});

/** The content of each file in the test's folder, its data folder included, and every row of the database. */
async function snapshot() {
  const paths = readdirSync(folder, { recursive: true }).map(String).sort();
  const contents = paths.map((path) => {
    const full = join(folder, path);
    return [path, statSync(full).isFile() ? createHash('sha256').update(readFileSync(full)).digest('hex') : 'a folder'];
  });
  return [contents, await readAllTables(own.database)];
}

/** Settings of a pair that fits, with these changes. */
function tlsFiles(changes: Record<string, string>): Record<string, string> {
  const pair = makeCertificate();
  for (const [name, text] of Object.entries(pair)) writeFileSync(join(folder, `${name}.pem`), text);
  return { TLS_CERT: join(folder, 'cert.pem'), TLS_KEY: join(folder, 'key.pem'), ...changes };
}

/** As a restore does. */
async function holdRestore() {
  const restore = new pg.Client(own.url);
  await restore.connect();
  onTestFinished(() => restore.end());
  await restore.query(`select pg_advisory_lock(${START_LOCK})`);
  return {};
}

async function makeAsciiDatabase() {
  const name = `${new URL(own.url).pathname.slice(1)}_ascii`;
  await change(
    `create database ${name} template template0 encoding 'SQL_ASCII' locale_provider libc locale 'C'`,
    `drop database ${name}`,
  );
  const url = new URL(own.url);
  url.pathname = name;
  return { DATABASE_URL: url.href };
}

async function occupyPort() {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  return { PORT: String((other.address() as AddressInfo).port) };
}

async function imposter(opening: Promise<{ url: string; close(): void | Promise<void> }>) {
  const { url, close } = await opening;
  onTestFinished(close);
  return { DATABASE_URL: url };
}

/** As if this program had one more migration than the database. */
async function pretendOldSchema(): Promise<void> {
  const { rows } = await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(own.database);
  const name = rows[0]?.name;
  await change(
    `delete from kysely_migration where name = '${name}'`,
    `insert into kysely_migration (name, timestamp) values ('${name}', now()::text)`,
  );
}
