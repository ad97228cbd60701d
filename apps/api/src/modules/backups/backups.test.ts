import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openTestDatabase } from '#test/database/database.ts';
import { type BackupScene, openBackupScene } from '#test/scenes/backup-scene.ts';
import { encodeFrame, encodeJsonFrame, FRAME } from './frames.ts';
import { type BackupEnd, MAGIC } from './header.ts';
import { checkBackup } from './read-backup.ts';
import { BackupRefused } from './refusal.ts';
import { withCopyClient } from './schema.ts';
import { verifyBackup, writeVerifiedBackup } from './verify-backup.ts';
import { writeBackup } from './write-backup.ts';

const DAMAGED = /^\S+ is incomplete or was changed: take another backup\.$/;

let scene: BackupScene;
/** A backup of a server with a row in every table. */
let bytes: Buffer;
let file: string;
beforeAll(async () => {
  scene = await openBackupScene();
  file = await scene.backUp('filled.sendlap');
  bytes = await readFile(file);
});
afterAll(() => scene?.close());

const save = async (content: Buffer): Promise<string> => {
  const damaged = join(scene.folder, 'other.sendlap');
  await writeFile(damaged, content);
  return damaged;
};

const appendChecksum = (content: Buffer): Buffer =>
  Buffer.concat([content, createHash('sha256').update(content).digest()]);

const headerOf = (content: Buffer) =>
  JSON.parse(content.subarray(MAGIC.length, content.indexOf('\n', MAGIC.length)).toString());

/** A whole backup with a right checksum, whose header or tables are changed. */
const forge = (header: object, frames: Buffer[] = []): Buffer =>
  appendChecksum(
    Buffer.concat([
      MAGIC,
      Buffer.from(`${JSON.stringify({ ...headerOf(bytes), ...header })}\n`),
      zstdCompressSync(Buffer.concat(frames)),
    ]),
  );

describe('a file that cannot be trusted is refused in one line:', () => {
  test('100 of 100 truncated ones, with a flipped bit, or with more bytes', async () => {
    const at = fc.nat({ max: bytes.length - 1 });
    const damage = fc.oneof(
      at.map((length) => bytes.subarray(0, length)),
      fc.tuple(at, fc.nat({ max: 7 })).map(([offset, bit]) => {
        const flipped = Buffer.from(bytes);
        flipped.writeUInt8(flipped.readUInt8(offset) ^ (1 << bit), offset);
        return flipped;
      }),
      fc.uint8Array({ minLength: 1, maxLength: 99 }).map((more) => Buffer.concat([bytes, more])),
    );
    await fc.assert(
      fc.asyncProperty(damage, async (content) => {
        const refusal = checkBackup(await save(content)).catch((error: unknown) => error);
        expect(await refusal).toBeInstanceOf(BackupRefused);
        expect(String(((await refusal) as Error).message)).toMatch(/^[^\n]+$/);
      }),
      { numRuns: 100 },
    );
  });

  test('one that was cut in the middle', async () => {
    await expect(checkBackup(await save(bytes.subarray(0, bytes.length / 2)))).rejects.toThrow(DAMAGED);
  });

  test('foreign ones, an empty one, a folder and none', async () => {
    for (const content of [Buffer.alloc(0), Buffer.from('PGDMP\x01'), Buffer.alloc(100_000, 'x')])
      await expect(checkBackup(await save(content))).rejects.toThrow(/^\S+ is no backup of Sendlap\.$/);
    await expect(checkBackup(scene.folder)).rejects.toThrow(/is not a file\.$/);
    await expect(checkBackup(join(scene.folder, 'none'))).rejects.toThrow(/cannot be read \(ENOENT\)\.$/);
  });

  test('one of a newer format, and one of a newer schema', async () => {
    await expect(checkBackup(await save(forge({ format: 2 })))).rejects.toThrow(/^\S+ has format 2 of a newer Sendlap/);
    const { migrations } = headerOf(bytes);
    for (const others of [[...migrations, '999-later'], ['999-later']])
      await expect(checkBackup(await save(forge({ migrations: others })))).rejects.toThrow(
        /^Sendlap \S+ made this backup, with 999-later: update Sendlap first\.$/,
      );
  });

  test.each(['001-users', '001-baseline'])('one from before the first release, with %s', async (first) => {
    await expect(checkBackup(await save(forge({ migrations: [first, '002-operators'] })))).rejects.toThrow(
      /^A Sendlap from before 0\.1\.0 made this backup, and it cannot be restored\.$/,
    );
  });
});

test('a backup that was interrupted leaves no file', async () => {
  const target = join(scene.folder, 'interrupted.sendlap');
  const stop = () => Promise.reject(new Error('stopped'));
  const source = { database_url: scene.api.database_url, secrets: scene.api.secrets, now: () => new Date() };
  await expect(writeBackup(source, target, stop)).rejects.toThrow('stopped');
  await expect(writeBackup({ ...source, database_url: 'postgres://localhost:1/x' }, target)).rejects.toThrow();
  expect((await readdir(scene.folder)).filter((name) => name.includes('interrupted'))).toEqual([]);
});

test('a backup gives a database up that takes the connection and says nothing', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => void silent.close());
  const url = `postgres://ada@127.0.0.1:${(silent.address() as AddressInfo).port}/x`;
  await expect(withCopyClient(url, async () => {})).rejects.toThrow(/timeout/);
});

describe('verify', () => {
  const schemas = async () =>
    (await sql`select nspname from pg_namespace order by 1`.execute(scene.api.database)).rows.map(
      (row) => Object.values(row as object)[0],
    );

  test('passes for a good backup beside the running server, and leaves nothing', async () => {
    const before = await schemas();
    const sums = await verifyBackup(await checkBackup(file), scene.api.database_url, async () => null);
    expect(sums.find(({ name }) => name === 'users')?.rows).toBeGreaterThan(3);
    expect(await schemas()).toEqual(before);
  });

  test('and a backup with its trial restore refuse a disk without room in one line, and write nothing', async () => {
    const readFreeBytes = async () => 10_000;
    const why = /^A trial restore needs \d+ MB of free disk, and the disk of the database has 0 MB: free some space\.$/;
    await expect(verifyBackup(await checkBackup(file), scene.api.database_url, readFreeBytes)).rejects.toThrow(why);
    const { database_url, secrets } = scene.api;
    const source = { database_url, secrets, now: () => new Date(), readFreeBytes };
    await expect(writeVerifiedBackup(source, join(scene.folder, 'no-room.sendlap'))).rejects.toThrow(why);
    expect((await readdir(scene.folder)).filter((name) => name.includes('no-room'))).toEqual([]);
  });

  test('names the right that the role lacks', async () => {
    const target = await openTestDatabase();
    await sql`create role tenant login`.execute(target.database);
    const refusal = verifyBackup(await checkBackup(file), target.url.replace('sendlap@', 'tenant@'), async () => null);
    await expect(refusal).rejects.toThrow(/^DATABASE_URL: its role may not create [^\n]+ grant it CREATE there\.$/);
    await sql`drop role tenant`.execute(target.database);
    await target.close();
  });

  test('finds lost rows, changed rows and a lost table although the checksum of the file is right', async () => {
    const sums: BackupEnd['tables'] = [];
    const frames: { name: string; parts: Buffer[] }[] = [];
    for await (const part of (await checkBackup(file)).readTables()) {
      if ('sums' in part) sums.push(...part.sums);
      else {
        const parts = [encodeJsonFrame(FRAME.table, part.table)];
        for await (const rows of part.rows) parts.push(encodeFrame(FRAME.rows, rows));
        frames.push({ name: part.table.name, parts });
      }
    }
    const verify = async (change: { parts?: (name: string, parts: Buffer[]) => Buffer[]; sums?: typeof sums }) => {
      const tables = frames.flatMap(({ name, parts }) => (change.parts ? change.parts(name, parts) : parts));
      const end = encodeJsonFrame(FRAME.end, { tables: change.sums ?? sums });
      return verifyBackup(
        await checkBackup(await save(forge({}, [...tables, end]))),
        scene.api.database_url,
        async () => null,
      );
    };
    await verify({});
    await expect(verify({ parts: (name, parts) => (name === 'badges' ? parts.slice(0, 1) : parts) })).rejects.toThrow(
      /^The table badges has 0 rows after the load instead of \d+\.$/,
    );
    const replaced = (name: string, parts: Buffer[]) =>
      name === 'messages'
        ? parts.map((part) => Buffer.from(part.toString('latin1').replaceAll('\t1\t', '\t7\t'), 'latin1'))
        : parts;
    await expect(verify({ parts: replaced })).rejects.toThrow(/^The table messages has other rows/);
    const lacking = sums.filter(({ name }) => name !== 'chats');
    await expect(verify({ sums: lacking })).rejects.toThrow('The backup lacks the table chats.');
  });
});
