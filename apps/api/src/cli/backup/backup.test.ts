import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { prepareDatabase } from '#api/database/prepare-database.ts';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { runVerb } from '#test/run-verb.ts';
import type { Command } from '../command.ts';
import { command as create } from './create.ts';
import { command as restore } from './restore.ts';
import { command as verify } from './verify.ts';

const SECRET = 'a secret for tests, at least 32 characters long';
const OTHER_SECRET = 'another secret for tests, of more than 32 characters';
const PASSPHRASE = 'correct horse battery staple';

// The last test creates a PostgreSQL of its own and starts it twice.
vi.setConfig({ testTimeout: 180_000 });

let api: TestApp;
let folder: string;
/** A backup without the secret, which tests only read. */
let good: string;
beforeAll(async () => {
  api = await buildTestApp();
  await api.signIn('Ada');
  folder = await mkdtemp(join(tmpdir(), 'sendlap-backup-verbs-'));
  good = await makeBackup('good');
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await api?.close();
  await rm(folder, { recursive: true, force: true });
});
afterEach(() => void vi.unstubAllEnvs());

/** Runs a verb with the settings of this server. */
function run(verb: Command, args: string[], { url = api.database_url, secret = SECRET, input = '' } = {}) {
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('SECRET', secret);
  return runVerb(api.database, verb.run, args, input);
}

const inFolder = (name: string) => join(folder, name);

async function makeBackup(name: string, args: string[] = [], input = ''): Promise<string> {
  const made = await run(create, [inFolder(name), ...args], { input });
  expect(made).toMatchObject({ code: 0, stderr: '' });
  return inFolder(name);
}

it.each([
  ['create', create],
  ['verify', verify],
  ['restore', restore],
])('%s exits with 2 and prints the usage for wrong arguments', async (verb, command) => {
  for (const args of [[], ['a', 'b'], ['a', '--wit-secret']]) {
    const result = await run(command, args);
    expect(result, args.join(' ')).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain(`npm run sendlap -- backup ${verb} <file> [options]`);
  }
});

it.each([
  ['create', create],
  ['verify', verify],
  ['restore', restore],
])('%s ends with one line for a database that is down or missing, and for a wrong password', async (_verb, command) => {
  const argument = command === create ? inFolder('never') : good;
  const refused = new URL(api.database_url);
  refused.username = 'stranger';
  for (const [url, why] of [
    ['postgres://ada:x@localhost:1/x', /^DATABASE_URL: the database cannot be reached: [^\n]+$/],
    [
      api.database_url.replace(/\/[^/?]+(\?|$)/, '/missing_one$1'),
      /^DATABASE_URL: [^\n]*does not exist: create it[^\n]+$/,
    ],
    [refused.href, /^DATABASE_URL: the database refuses this user or password: [^\n]+$/],
  ] as const) {
    const ending = run(command, [argument], { url });
    await expect(ending, url).rejects.toMatchObject({ name: 'StartError', message: expect.stringMatching(why) });
  }
  expect((await readdir(folder)).filter((name) => name.includes('never'))).toEqual([]);
});

describe('create', () => {
  it('exits with 1 for a name that is taken, a folder that cannot be made, and a short passphrase', async () => {
    await writeFile(inFolder('taken'), 'mine');
    for (const [args, why, input] of [
      [[inFolder('taken')], /taken exists: choose another name\.\n$/, ''],
      [[inFolder('taken/below')], /^\S+ cannot be read or written \((EEXIST|ENOTDIR)\)\.\n$/, ''],
      [[inFolder('short'), '--with-secret'], /^The passphrase has fewer than 12 characters\.\n$/, 'short\n'],
    ] as const) {
      const result = await run(create, [...args], { input });
      expect(result).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(why) });
    }
    expect(await readFile(inFolder('taken'), 'utf8')).toBe('mine');
    expect((await readdir(folder)).filter((name) => name.includes('short'))).toEqual([]);
  });

  it('refuses a SECRET that does not match the database', async () => {
    const other = run(create, [inFolder('other')], { secret: OTHER_SECRET });
    await expect(other).rejects.toMatchObject({ name: 'StartError', message: expect.stringMatching(/^SECRET: /) });
  });

  it('writes a file that only its owner can read, without the secret, and prints its size, rows and tables', async () => {
    const result = await run(create, [inFolder('plain')]);
    expect(result.stdout).toMatch(
      /^\S+plain: \d+ kB, [\d,]+ rows of \d+ tables, verified\. It is worth nothing without the secret/,
    );
    expect((await stat(inFolder('plain'))).mode & 0o777).toBe(0o600);
    const bytes = await readFile(inFolder('plain'), 'latin1');
    expect(bytes).not.toContain(SECRET);
    expect(bytes.split('\n')[0]).toBe('sendlap-backup');
    expect((await readdir(folder)).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });
});

describe('verify', () => {
  it('exits with 1 for a damaged file, and opens no database for it', async () => {
    await writeFile(inFolder('damaged'), (await readFile(good)).subarray(0, 2_000));
    for (const command of [verify, restore]) {
      const result = await run(command, [inFolder('damaged')], { url: 'postgres://localhost:1/nowhere' });
      expect(result).toMatchObject({ code: 1, stdout: '' });
      expect(result.stderr).toMatch(/^\S+damaged is incomplete or was changed: take another backup\.\n$/);
    }
  });

  it('lists the content of a good one, and says when it needs another secret', async () => {
    const { code, stdout } = await run(verify, [good, '--json']);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { fits_secret: true, has_secret: false }]);
    const foreign = await run(verify, [good], { secret: OTHER_SECRET });
    expect(foreign).toMatchObject({ code: 0, stdout: expect.stringContaining('It needs the secret of the server') });
  });
});

describe('restore', () => {
  it('exits with 1 for a server with users or another secret, and a file without a secret', async () => {
    const target = await openTestDatabase();
    for (const [options, args, why] of [
      [{}, [], /^Sendlap runs on this database/],
      [
        { url: target.url, secret: OTHER_SECRET },
        [],
        /^SECRET: the backup needs the secret of the server that made it/,
      ],
      [{ url: target.url, input: PASSPHRASE }, ['--with-secret'], /^The backup was made without --with-secret/],
    ] as const) {
      const result = await run(restore, [good, ...args], options);
      expect(result).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(why) });
      expect(result.stderr).toMatch(/^[^\n]+\n$/);
    }
    await target.close();
  });

  it('does not migrate the schema of a server that it refuses', async () => {
    const target = await openTestDatabase();
    const user = sql`insert into users (id, public_id, name) values (gen_random_uuid(), 'ada', 'Ada')`;
    await user.execute(target.database);
    const removed = await sql`delete from kysely_migration where name = (select max(name) from kysely_migration)`;
    await removed.execute(target.database);
    const readMigrations = () => sql`select name from kysely_migration order by name`.execute(target.database);
    const before = await readMigrations();
    const result = await run(restore, [good], { url: target.url });
    expect(result).toMatchObject({ code: 1, stderr: expect.stringMatching(/^This server has 1 user: restore into/) });
    expect(await readMigrations()).toEqual(before);
    await target.close();
  });

  it('restores into an empty server, and refuses a second restore', async () => {
    const target = await openTestDatabase();
    const result = await run(restore, [good], { url: target.url });
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toMatch(/^The server is as it was at \S+Z: \d/);
    const again = await run(restore, [good], { url: target.url });
    expect(again).toMatchObject({ code: 1, stderr: expect.stringMatching(/^This server has 1 user: restore into/) });
    await target.close();
  });

  it.each([
    ['lost', ''],
    ['of another server', OTHER_SECRET],
  ])('restores into an external database although SECRET is %s, and writes the secret to a file', async (_, secret) => {
    const file = await makeBackup(`sealed-${secret.length}`, ['--with-secret'], `${PASSPHRASE}\n`);
    const target = await openTestDatabase();
    const data_dir = await mkdtemp(join(tmpdir(), 'sendlap-restored-'));
    onTestFinished(() => rm(data_dir, { recursive: true, force: true }));
    await writeFile(join(data_dir, 'secret'), 'of an embedded database');
    vi.stubEnv('DATA_DIR', data_dir);
    const options = { url: target.url, secret, input: PASSPHRASE };
    if (secret) {
      const without = await run(restore, [file], options);
      expect(without.stderr).toMatch(
        /^SECRET: the backup needs the secret .* set SECRET to that secret, or use --with-secret\.\n$/,
      );
    }
    const restored = await run(restore, [file, '--with-secret'], options);
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    const [, named = ''] = /\nSECRET: set it, on every node, to the text of (\S+), .*\n$/.exec(restored.stdout) ?? [];
    expect(restored.stdout).not.toContain(SECRET);
    expect(await readFile(named, 'utf8')).toBe(SECRET);
    expect((await stat(named)).mode & 0o777).toBe(0o600);
    expect(await readFile(join(data_dir, 'secret'), 'utf8')).toBe('of an embedded database');
    await prepareDatabase({ database_url: target.url, secret: SECRET, location: 'DATABASE_URL', async close() {} });
    await target.close();
  });

  it('restores the server and its secret into an empty data folder, only with the right passphrase', async () => {
    const file = await makeBackup('sealed', ['--with-secret'], `${PASSPHRASE}\n`);
    expect(await readFile(file, 'latin1')).not.toContain(SECRET);
    const data_dir = await mkdtemp(join(tmpdir(), 'sendlap-restored-'));
    // Started by root, PostgreSQL runs as another account, which must be able to enter the folder.
    await chmod(data_dir, 0o755);
    onTestFinished(() => rm(data_dir, { recursive: true, force: true }));
    vi.stubEnv('DATA_DIR', data_dir);
    const none = { url: '', secret: '' };
    const wrong = await run(restore, [file, '--with-secret'], { ...none, input: 'incorrect horse' });
    expect(wrong).toMatchObject({ code: 1, stderr: 'This passphrase does not open the secret in the backup.\n' });
    const without = await run(restore, [file], none);
    expect(without).toMatchObject({ code: 1, stderr: expect.stringMatching(/^The backup needs the secret/) });
    const right = await run(restore, [file, '--with-secret'], { ...none, input: PASSPHRASE });
    expect(right).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^The server is as it was/) });
    expect(await readFile(join(data_dir, 'secret'), 'utf8')).toBe(SECRET);
  });
});
