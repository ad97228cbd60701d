import { createHash, type Hash, randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import type pg from 'pg';
import { copyOut } from '#api/database/copy-streams.ts';
import type { Secrets } from '#api/database/secrets.ts';
import { encodeFrame, encodeJsonFrame, FRAME } from './frames.ts';
import { type BackupHeader, FORMAT, MAGIC, type SealedSecret, type TableSum } from './header.ts';
import { listSavedTables, quoteTable, withCopyClient } from './schema.ts';
import { checkOfSecret } from './seal-secret.ts';

const { version: app_version } = createRequire(import.meta.url)('../../../package.json') as { version: string };

export interface BackupSource {
  database_url: string;
  secrets: Pick<Secrets, 'derive'>;
  /** The server's secret, sealed by a passphrase; without it the file is worth nothing without the secret. */
  sealed_secret?: SealedSecret | undefined;
  now: () => Date;
}

export interface WrittenBackup {
  file: string;
  made_at: string;
  bytes: number;
  tables: number;
  rows: number;
}

/** Each chunk of the compressor is a visit to another thread. */
const CHUNK_BYTES = 262_144;
/** How the name of an unfinished file ends. */
const PARTIAL_SUFFIX = '.partial';

/**
 * Writes a backup of the database in one snapshot, while the server runs. `file` gets its name when it is complete and on
 * the disk, and only if `accept` resolves for the unfinished file; a file of that name is replaced.
 */
export async function writeBackup(
  source: BackupSource,
  file: string,
  accept: (partial_file: string) => Promise<void> = async () => {},
): Promise<WrittenBackup> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const partial_file = join(folder, `.${basename(file)}.${randomBytes(6).toString('hex')}${PARTIAL_SUFFIX}`);
  try {
    // Only the server's account may read it: it holds all personal data.
    const handle = await open(partial_file, 'wx', 0o600);
    const written = await writeTo(handle, source).finally(() => handle.close());
    const { size: bytes } = await stat(partial_file);
    await accept(partial_file);
    await rename(partial_file, file);
    await syncFolder(folder);
    return { file, bytes, ...written };
  } catch (error) {
    await rm(partial_file, { force: true });
    throw error;
  }
}

async function writeTo(handle: FileHandle, { database_url, secrets, sealed_secret, now }: BackupSource) {
  const hash = createHash('sha256');
  const write = async (bytes: Buffer) => {
    hash.update(bytes);
    // Unlike `write`, all of it.
    await handle.writeFile(bytes);
  };
  return withCopyClient(database_url, async (client) => {
    await client.query('begin isolation level repeatable read, read only');
    const tables = await listSavedTables(client);
    await client.query(`lock table ${tables.map(quoteTableName).join(', ')} in access share mode`);
    const header: BackupHeader = {
      format: FORMAT,
      app_version,
      made_at: now().toISOString(),
      migrations: await readAppliedMigrations(client),
      secret_check: checkOfSecret(secrets),
      sealed_secret,
    };
    await write(Buffer.concat([MAGIC, Buffer.from(`${JSON.stringify(header)}\n`)]));
    const sums: TableSum[] = [];
    const sink = new Writable({
      write: (chunk: Buffer, _encoding, done) => void write(chunk).then(() => done(), done),
    });
    await pipeline(
      Readable.from(encodeTables(client, tables, sums), { objectMode: false }),
      createZstdCompress({ chunkSize: CHUNK_BYTES }),
      sink,
    );
    await handle.writeFile(hash.digest());
    await handle.sync();
    await client.query('commit');
    return { made_at: header.made_at, tables: sums.length, rows: sums.reduce((total, { rows }) => total + rows, 0) };
  });
}

const quoteTableName = ({ name }: { name: string }) => quoteTable({ name });

async function readAppliedMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name');
  return rows.map(({ name }) => name);
}

/** Adds the sum of each table to `sums`. */
async function* encodeTables(
  client: pg.Client,
  tables: Awaited<ReturnType<typeof listSavedTables>>,
  sums: TableSum[],
): AsyncGenerator<Buffer> {
  for (const table of tables) {
    yield encodeJsonFrame(FRAME.table, table);
    const hash = createHash('sha256');
    const copied = copyOut(client, `copy ${quoteTable(table)} to stdout`);
    for await (const chunk of copied as AsyncIterable<Buffer>) {
      hash.update(chunk);
      yield encodeFrame(FRAME.rows, chunk);
    }
    sums.push({ ...table, rows: copied.row_count, sha256: toHex(hash) });
  }
  yield encodeJsonFrame(FRAME.end, { tables: sums });
}

const toHex = (hash: Hash): string => hash.digest('hex');

/** A new name is on the disk when its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
