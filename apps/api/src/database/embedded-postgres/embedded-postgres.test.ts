import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { makeDatabaseFolder } from '#test/database/throw-away-server.ts';
import { testUnlessMissing } from '#test/skip-without.ts';
import { defaultDataDir, type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';

type Reply = { url: string; adopted: boolean; name: string; message: string };

const SETTINGS = ['fsync', 'synchronous_commit', 'data_checksums', 'server_encoding', 'listen_addresses'];
const HOLD_SCRIPT = fileURLToPath(new URL('../../../test/database/hold-postgres.ts', import.meta.url));
const logger = { info() {}, warn() {}, error() {} };
// Each test creates a database, syncs all of it to disk, and starts and stops servers.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

/** The folder of a data folder that was made once, for tests of what comes after that. */
let made: string;
/** Its path is too long for a socket. */
const madeFolder = () => join(made, 'long'.repeat(30), 'data folder');
/** What the server answered that made it. */
let settings_of_made: unknown[];
let sort_order_of_made: unknown[];
let scratch: string;
let data_dir: string;
let servers: EmbeddedPostgres[];
let children: ChildProcess[];

beforeAll(async () => {
  made = makeDatabaseFolder();
  const server = await startEmbeddedPostgres({ data_dir: madeFolder(), logger });
  const read = SETTINGS.map((name) => query(server.url, `SELECT current_setting('${name}') AS value`));
  settings_of_made = (await Promise.all(read)).flat();
  const sort_order =
    "SELECT datlocprovider::text || ' ' || datlocale AS value FROM pg_database WHERE datname = 'sendlap'";
  sort_order_of_made = await query(server.url, sort_order);
  await server.stop();
});
afterAll(() => rmSync(made, { recursive: true, force: true }));

beforeEach(() => {
  scratch = makeDatabaseFolder();
  data_dir = join(scratch, 'data folder');
  servers = [];
  children = [];
});

afterEach(async () => {
  for (const child of children) await end(child, 'SIGTERM');
  for (const server of servers) await server.stop();
  const pid_file = join(data_dir, 'postgres', 'postmaster.pid');
  if (existsSync(pid_file)) process.kill(Number.parseInt(readFileSync(pid_file, 'utf8'), 10), 'SIGQUIT');
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
});

/** Copies the data folder that was made once, with its owners. */
function copyMadeFolder(): void {
  execFileSync('cp', ['-a', madeFolder(), data_dir]);
}

async function start(folder = data_dir): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ data_dir: folder, logger });
  servers.push(server);
  return server;
}

async function startInProcess(role = 'app'): Promise<{ child: ChildProcess; reply: Reply }> {
  const child = spawn(process.execPath, [HOLD_SCRIPT, data_dir, role], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  if (!child.stdout) throw new Error('no output');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, reply: JSON.parse(line) as Reply };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<{ value: unknown }>(sql)).rows.map((row) => row.value);
  } finally {
    await client.end();
  }
}

const runs = (): boolean => existsSync(join(data_dir, 'postgres', 'postmaster.pid'));

test('a data folder of another major version is refused with one line that names both', async () => {
  copyMadeFolder();
  writeFileSync(join(data_dir, 'postgres', 'PG_VERSION'), '17\n');
  await expect(start()).rejects.toThrow(
    /^The database in .* was written by PostgreSQL 17, .* PostgreSQL 18: set DATA_DIR .* restore a backup/,
  );
});

test('a folder with other content instead of the database is refused and not changed', async () => {
  mkdirSync(join(data_dir, 'postgres'), { recursive: true });
  chmodSync(data_dir, 0o711);
  writeFileSync(join(data_dir, 'postgres', 'letter.txt'), 'mine');
  await expect(start()).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringContaining('not a PostgreSQL'),
  });
  expect(readdirSync(join(data_dir, 'postgres'))).toEqual(['letter.txt']);
});

testUnlessMissing(
  process.getuid?.() === 0 ? undefined : 'the rights of root',
  'root gets one clear line for a folder that the account cannot reach',
  async () => {
    chmodSync(scratch, 0o700);
    await expect(start()).rejects.toThrow(
      /cannot be used: the database runs as the account "\w+", which may not enter/,
    );
    expect(existsSync(data_dir)).toBe(false);
  },
);

testUnlessMissing(
  process.getuid?.() === 0 ? undefined : 'the rights of root',
  'root leaves every file in the folder of another account to that account',
  async () => {
    const DAEMON_UID = 1;
    mkdirSync(data_dir, { mode: 0o700 });
    chownSync(data_dir, DAEMON_UID, DAEMON_UID);
    const { url } = await start();
    expect(await query(url, 'SELECT 1 AS value')).toEqual([1]);
    const others = readdirSync(data_dir).filter((name) => statSync(join(data_dir, name)).uid !== DAEMON_UID);
    // A copy of the server's programs, which any account may run.
    expect(others.filter((name) => !/^postgres-\d/.test(name))).toEqual([]);
  },
);

testUnlessMissing(
  process.getuid?.() === 0 ? undefined : 'the rights of root',
  'root follows no link that the account of the folder has put in place of the log',
  async () => {
    const DAEMON_UID = 1;
    mkdirSync(data_dir, { mode: 0o700 });
    chownSync(data_dir, DAEMON_UID, DAEMON_UID);
    const file = join(scratch, 'file-of-root');
    writeFileSync(file, 'of root');
    symlinkSync(file, join(data_dir, 'postgres.log'));
    await expect(start()).rejects.toThrow(/^The file .+postgres\.log is a link, or no file: remove it\.$/);
    rmSync(join(data_dir, 'postgres.log'));
    linkSync(file, join(data_dir, 'postgres.log'));
    await expect(start()).rejects.toThrow(/is a link, or no file/);
    expect([statSync(file).uid, readFileSync(file, 'utf8')]).toEqual([0, 'of root']);
  },
);

test.each(['/proc/nothing', '/dev/null'])(
  'a data folder that cannot be one, %s, is refused with one line',
  async (folder) => {
    await expect(start(folder)).rejects.toThrow(/^The data folder \S+ cannot be used/);
  },
);

test('a second app on the same folder is refused, and the first keeps running', async () => {
  copyMadeFolder();
  const { reply, child } = await startInProcess();
  const second = await startInProcess();
  expect(second.reply).toMatchObject({ name: 'StartError' });
  expect(second.reply.message).toContain(`Another Sendlap (process ${child.pid}) is using the data folder`);
  expect(await query(reply.url, 'SELECT 1 AS value')).toEqual([1]);
});

test('of two apps that start at once on a fresh folder one wins and one is refused', async () => {
  const replies = (await Promise.all([startInProcess(), startInProcess()])).map(({ reply }) => reply);
  const winners = replies.filter((reply) => reply.url);
  expect(winners).toHaveLength(1);
  expect(replies.find((reply) => !reply.url)?.message).toMatch(/^Another Sendlap/);
  expect(await query(winners[0]?.url ?? '', 'SELECT 1 AS value')).toEqual([1]);
});

test('rows survive a clean stop and start', async () => {
  copyMadeFolder();
  const first = await start();
  await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS value');
  await first.stop();
  expect(runs()).toBe(false);
  const second = await start();
  expect(second.adopted).toBe(false);
  expect(await query(second.url, 'SELECT value FROM kept')).toEqual([42]);
});

test('after a kill -9 of the app the next start adopts its server, with every row, and can stop it', async () => {
  copyMadeFolder();
  const { child, reply } = await startInProcess();
  await query(reply.url, 'CREATE TABLE kept AS SELECT 42 AS value');
  await end(child, 'SIGKILL');
  const second = await start();
  expect(second.adopted).toBe(true);
  expect(await query(second.url, 'SELECT value FROM kept')).toEqual([42]);
  await second.stop();
  expect(runs()).toBe(false);
});

test('a pid file left by a power loss, whose number now belongs to another process, does not block the start', async () => {
  copyMadeFolder();
  const pid_file = join(data_dir, 'postgres', 'postmaster.pid');
  writeFileSync(pid_file, `${process.pid}\n${join(data_dir, 'postgres')}\n1\n5432\n${scratch}\n\n1 1\nready   \n`);
  const server = await start();
  expect(await query(server.url, 'SELECT 1 AS value')).toEqual([1]);
});

test('a database whose creation was interrupted is created again', async () => {
  const abandoned = join(data_dir, 'postgres.init-999999999');
  mkdirSync(abandoned, { recursive: true });
  chmodSync(data_dir, 0o711);
  writeFileSync(join(abandoned, 'PG_VERSION'), '18\n');
  const server = await start();
  expect(await query(server.url, 'SELECT 1 AS value')).toEqual([1]);
  expect(existsSync(abandoned)).toBe(false);
});

test('the server syncs to disk, sorts by Unicode code points and listens on no network, in a folder with a path too long for a socket too', () => {
  expect(settings_of_made).toEqual(['on', 'on', 'on', 'UTF8', '']);
  expect(sort_order_of_made).toEqual(['b C.UTF-8']);
});

test("an operator's command works beside the app, and the last of the two stops the server", async () => {
  copyMadeFolder();
  const app = await startInProcess();
  const command = await startInProcess('operator');
  expect(command.reply.adopted).toBe(true);
  await end(app.child, 'SIGTERM');
  expect(await query(command.reply.url, 'SELECT 1 AS value')).toEqual([1]);
  await end(command.child, 'SIGTERM');
  expect(runs()).toBe(false);
});

test('a server that dies under the app is brought back with its rows', async () => {
  copyMadeFolder();
  const { url } = await start();
  await query(url, 'CREATE TABLE kept AS SELECT 42 AS value');
  process.kill(Number.parseInt(readFileSync(join(data_dir, 'postgres', 'postmaster.pid'), 'utf8'), 10), 'SIGQUIT');
  const readRows = () => query(url, 'SELECT value FROM kept').catch(() => []);
  await expect.poll(readRows, { timeout: 60_000 }).toEqual([42]);
});

test("root's default data folder is outside its home, every other user's in the project", () => {
  const expected = process.getuid?.() === 0 ? /^\/var\/lib\/sendlap\/sendlap-test-[\w-]+-[0-9a-f]{8}$/ : /\/\.data$/;
  expect(defaultDataDir(scratch)).toMatch(expected);
});
