import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR_MS } from '@sendlap/domain/durations.ts';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Database } from '#api/database/database.ts';
import type { Finding } from '#api/doctor/finding.ts';
import type { SettingValue } from '#api/doctor/settings.ts';
import { dailyFileName } from '#api/modules/backups/folder.ts';
import { VERSION } from '#api/platform/version.ts';
import { buildTestApp, TEST_SECRET, type TestApp } from '#test/app/app.ts';
import { findFreePort } from '#test/free-port.ts';
import { runVerb } from '#test/run-verb.ts';
import { type MailServer, startMailServer } from '#test/servers/mail-server.ts';
import { OverpassServer } from '#test/servers/overpass-server.ts';
import { command } from './doctor.ts';

let api: TestApp;
let mails: MailServer;
let overpass: OverpassServer;
let folder: string;
let settings: Record<string, string>;
const metrics_port = String(await findFreePort());

beforeAll(async () => {
  [api, mails, overpass] = await Promise.all([
    buildTestApp({ listen: true, env: { METRICS_PORT: metrics_port } }),
    startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ password }, _session, done) => done(password === 'hunter2' ? null : new Error('no'), { user: 'club' }),
    }),
    OverpassServer.start(),
  ]);
});
afterAll(async () => {
  await Promise.all([api.close(), mails.close(), overpass.close()]);
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sendlap-doctor-'));
  settings = {
    PORT: new URL(api.url).port,
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: api.database_url,
    SECRET: TEST_SECRET,
    SMTP_URL: mails.url.replace('://', '://club:hunter2@'),
    MAIL_FROM: 'club@sendlap.example',
    OVERPASS_URL: overpass.url,
    METRICS_PORT: metrics_port,
  };
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

const NO_DATABASE = {} as Database;

async function run(args: string[], changes: Record<string, string>) {
  for (const [name, value] of Object.entries({ ...settings, ...changes })) vi.stubEnv(name, value);
  return runVerb(NO_DATABASE, command.run, args);
}

interface Printed {
  version: string;
  settings: SettingValue[];
  findings: Finding[];
}

/** Returns the exit code, the settings by name and the findings by check. */
async function examine(changes: Record<string, string> = {}) {
  const { code, stdout } = await run(['--json'], changes);
  const printed = JSON.parse(stdout) as Printed;
  const found = Object.fromEntries(
    printed.findings.map(({ check, verdict, detail }) => [check, `${verdict}: ${detail}`]),
  );
  const values = Object.fromEntries(printed.settings.map(({ name, value, source }) => [name, `${value} (${source})`]));
  return { code, found, values };
}

test('wrong usage ends with 2 and the usage', async () => {
  const { code, stderr } = await run(['--fast'], {});
  expect([code, stderr]).toEqual([2, expect.stringContaining('Usage: npm run sendlap -- doctor [options]')]);
});

test('an unreadable setting is named, and no other check runs', async () => {
  const { code, found, values } = await examine({ DRAIN_S: 'soon' });
  expect([code, found]).toEqual([1, { settings: expect.stringMatching(/^broken: DRAIN_S: must be whole seconds/) }]);
  expect(values.DRAIN_S).toBe('soon (environment)');
});

const unused = await findFreePort();
test.each<[string, Record<string, string>, string, RegExp]>([
  [
    'a database that is down',
    { DATABASE_URL: 'postgres://ada:x@localhost:1/x' },
    'database',
    /^broken: DATABASE_URL: /,
  ],
  ['another secret', { SECRET: TEST_SECRET.toUpperCase() }, 'database', /^broken: SECRET: this is not the secret/],
  ['no secret', { SECRET: '' }, 'database', /^broken: SECRET: must be set beside DATABASE_URL/],
  ['a server that is not started', { PORT: String(unused) }, 'address', /^broken: PORT: no server listens/],
  ['proxies that are not there', { PUBLIC_URL: `http://localhost:${unused}` }, 'address', /^broken: PUBLIC_URL: /],
  ['a wrong password of the mail server', { SMTP_URL: 'BAD' }, 'mail', /^broken: SMTP_URL: .*EAUTH, reply 535/],
  [
    'a mail server that is down',
    { SMTP_URL: `smtp://127.0.0.1:${unused}` },
    'mail',
    /^broken: SMTP_URL: .*(ESOCKET|ECONN)/,
  ],
  ['a file of streets that is missing', { MAP_STREETS: '/none.pmtiles' }, 'streets', /^broken: MAP_STREETS: /],
  ['a server that runs without metrics', { METRICS_PORT: String(unused) }, 'metrics', /^broken: METRICS_PORT: .*ECONN/],
  [
    'a port of the metrics that another program has',
    { METRICS_PORT: 'OTHER' },
    'metrics',
    /^broken: METRICS_PORT: ano/,
  ],
  ['an unwritable data folder', { DATA_DIR: '/proc/sendlap' }, 'disk', /^broken: .*DATA_DIR/],
  ['an unwritable folder of backups', { BACKUP_DIR: '/proc/sendlap' }, 'backup-disk', /^broken: .*BACKUP_DIR/],
])('%s is broken: one line that names the setting, and exit code 1', async (_name, changes, check, words) => {
  if (changes.SMTP_URL === 'BAD') changes.SMTP_URL = mails.url.replace('://', '://club:guess@');
  if (changes.METRICS_PORT === 'OTHER') changes.METRICS_PORT = new URL(overpass.url).port;
  const { code, found } = await examine(changes);
  expect([code, found[check]]).toEqual([1, expect.stringMatching(words)]);
  expect(JSON.stringify(found)).not.toMatch(/guess|hunter2/);
  expect(existsSync(settings.DATA_DIR ?? '')).toBe(false);
});

test('doctor reports clocks that differ', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  const { code, found } = await examine();
  expect(code).toBe(1);
  expect(found.clocks).toMatch(/^broken: the clock of the database is (59|60) s behind this machine's: .*NTP/);
});

test('a missing optional part is no failure', async () => {
  overpass.reply = (response) => void response.writeHead(504).end();
  onTestFinished(() => {
    overpass.reply = OverpassServer.whole;
  });
  const { code, found } = await examine({ SMTP_URL: '', MAIL_FROM: '', METRICS_PORT: '' });
  expect(code).toBe(0);
  expect(found.metrics).toBe('good: off, as METRICS_PORT is not set');
  expect(found.mail).toMatch(/^lacking: SMTP_URL is not set/);
  expect(found.streets).toMatch(/^lacking: no streets: .*MAP_STREETS/);
  expect(found.overpass).toMatch(/^lacking: OVERPASS_URL: .* answered 504/);
});

test('a server that has never started has no database yet, and gets none', async () => {
  const { code, found } = await examine({ DATABASE_URL: '', SECRET: '' });
  expect([code, found.database]).toEqual([0, expect.stringMatching(/^lacking: none yet: .*DATA_DIR/)]);
  expect(existsSync(settings.DATA_DIR ?? '')).toBe(false);
});

test('a server in good health is green in every line, and no password is printed or used', async () => {
  const { code, found, values } = await examine();
  expect(found.database).toMatch(
    /^good: DATABASE_URL: PostgreSQL \d+\.\d+, \d+ MB, all rights, a notification takes \d+ ms$/,
  );
  expect(found.schema).toBe(`good: up to date for version ${VERSION}`);
  expect(found.secret).toBe('good: SECRET opens the keys in the database');
  expect(found.clocks).toMatch(/^good: /);
  expect(found.push).toMatch(/^good: /);
  expect(found.nodes).toMatch(new RegExp(`^good: [^ ]+:${settings.PORT} \\(${VERSION}\\)$`));
  expect(found.address).toMatch(
    new RegExp(`^good: http://localhost:${settings.PORT} is answered by .*, version ${VERSION}$`),
  );
  expect(found.proxy).toMatch(/^good: this caller has the address (::1|127\.0\.0\.1): TRUST_PROXY is not set/);
  expect(found.mail).toMatch(/^good: 127\.0\.0\.1:\d+ takes mails from club@sendlap\.example$/);
  expect(found.overpass).toMatch(/^good: /);
  expect(found.metrics).toBe(`good: served at http://127.0.0.1:${metrics_port}/metrics`);
  expect(found['sign-in']).toBe('good: the app is its own identity provider');
  expect(code).toBe(0);
  expect(mails.received).toEqual([]);
  expect(values).toMatchObject({
    ...{ PORT: `${settings.PORT} (environment)`, HOST: 'localhost (default)', TRUST_PROXY: 'null (unset)' },
    ...{
      PUBLIC_URL: `http://localhost:${settings.PORT} (default)`,
      SECRET: `${TEST_SECRET.length} characters (environment)`,
    },
    SMTP_URL: `${mails.url.replace('://', '://club:***@')} (environment)`,
    ...{ METRICS_PORT: `${metrics_port} (environment)`, METRICS_HOST: '127.0.0.1 (default)' },
  });
});

test('doctor reports a node of another version', async () => {
  const node = new pg.Client({ connectionString: api.database_url, application_name: 'sendlap_live 0.0.9 old:8000' });
  await node.connect();
  onTestFinished(() => node.end());
  const { code, found } = await examine();
  expect([code, found.nodes]).toEqual([0, expect.stringMatching(/^lacking: old:8000 \(0\.0\.9\), .*: restart those/)]);
});

test('doctor reports the age of the latest backup, whether it failed, and that its file is gone', async () => {
  onTestFinished(async () => void (await api.database.deleteFrom('backup_state').execute()));
  const BACKUP_DIR = join(folder, 'backups');
  expect((await examine({ BACKUP_DIR })).found.backups).toMatch(/^lacking: none yet: .*\/backups$/);
  const made_at = new Date(Date.now() - 3.5 * HOUR_MS);
  await api.database.insertInto('backup_state').values({ made_at, bytes: 1_500_000 }).execute();
  expect((await examine({ BACKUP_DIR })).found.backups).toMatch(
    /^lacking: BACKUP_DIR: the latest is 3 hours old, and not in \S+\/backups: it is gone, or on another node$/,
  );
  mkdirSync(BACKUP_DIR);
  writeFileSync(join(BACKUP_DIR, dailyFileName(new Date(made_at.getTime() - 5 * HOUR_MS))), '');
  expect((await examine({ BACKUP_DIR })).found.backups).toBe(
    `good: the latest is 3 hours old, and not in ${BACKUP_DIR}, which has one of the last 26 hours`,
  );
  writeFileSync(join(BACKUP_DIR, dailyFileName(made_at)), '');
  expect((await examine({ BACKUP_DIR })).found.backups).toBe(`good: the latest is 3 hours old, 2 MB, in ${BACKUP_DIR}`);
  await api.database
    .updateTable('backup_state')
    .set({ made_at: new Date(Date.now() - 27 * HOUR_MS) })
    .execute();
  expect((await examine({ BACKUP_DIR })).found.backups).toMatch(/^lacking: the latest is 27 hours old: /);
  await api.database.updateTable('backup_state').set({ failed_at: new Date(), failure: 'no room' }).execute();
  const { code, found } = await examine({ BACKUP_DIR });
  expect([code, found.backups]).toEqual([1, 'broken: BACKUP_DIR: the latest backup failed: no room']);
  const ahead = { made_at: new Date(Date.now() + 800 * 24 * HOUR_MS), failed_at: null, failure: null };
  await api.database.updateTable('backup_state').set(ahead).execute();
  expect((await examine({ BACKUP_DIR })).found.backups).toMatch(
    /^broken: BACKUP_DIR: the latest has a date in the future, \d{4}-\d\d-\d\dT\S+Z: .* clock .*NTP/,
  );
  await api.database.updateTable('backup_state').set({ made_at }).execute();
  expect((await examine({ BACKUP_DIR, BACKUP_VERIFY: '0' })).found.backups).toMatch(
    /^lacking: BACKUP_VERIFY is 0: .* the latest is 3 hours old/,
  );
  expect((await examine({ BACKUP_KEEP: '0' })).found.backups).toMatch(/^lacking: BACKUP_KEEP is 0/);
});

test('as text it is a table of settings and one line for each check', async () => {
  const { code, stdout } = await run([], {});
  expect(code).toBe(0);
  expect(stdout).toMatch(
    new RegExp(`^Sendlap ${VERSION}\\n\\nPORT +\\d+ \\(environment\\)\\nHOST +localhost \\(default\\)\\n`),
  );
  expect(stdout).toMatch(/^ok {3}database +DATABASE_URL: PostgreSQL/m);
  expect(stdout).toMatch(/^note streets +no streets/m);
  expect(stdout).not.toContain('hunter2');
});
