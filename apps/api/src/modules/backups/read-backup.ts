import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { isFromBeforeFirstRelease, readMigrationNames } from '#api/database/migrations.ts';
import { decodeFrames, FRAME, type Frame } from './frames.ts';
import {
  BackupEnd,
  BackupHeader,
  CHECKSUM_BYTES,
  FORMAT,
  MAGIC,
  MAX_HEADER_BYTES,
  SavedTable,
  type TableSum,
} from './header.ts';
import { BackupRefused } from './refusal.ts';

const CHUNK_BYTES = 262_144;

/** A backup whose every byte has been checked. */
export interface CheckedBackup {
  header: BackupHeader;
  bytes: number;
  /** Reads the tables in turn; the rows of each must be read before the next one. */
  readTables(): AsyncGenerator<BackupPart>;
}

/** A table with its rows in COPY's text format; the end, with the sums of all tables. */
export type BackupPart = { table: SavedTable; rows: AsyncIterable<Buffer> } | { sums: TableSum[] };

/**
 * Reads the whole file and compares its checksum. Throws BackupRefused for a file that is no backup, is incomplete or
 * changed, or needs a newer version of Sendlap.
 */
export async function checkBackup(file: string): Promise<CheckedBackup> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new BackupRefused(`${file} cannot be read (${error.code}).`);
  });
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new BackupRefused(`${file} is not a file.`);
    const start = await readStart(handle);
    const { header, header_bytes } = parseHeader(file, start);
    const body_end = stats.size - CHECKSUM_BYTES;
    await assertChecksum(file, handle, body_end);
    await assertSchemaIsKnown(header);
    const body = { file, start: MAGIC.length + header_bytes, end: body_end - 1 };
    return { header, bytes: stats.size, readTables: () => readParts(body) };
  } finally {
    await handle.close();
  }
}

async function readStart(handle: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAGIC.length + MAX_HEADER_BYTES), 0, null, 0);
  return buffer.subarray(0, bytesRead);
}

function parseHeader(file: string, start: Buffer): { header: BackupHeader; header_bytes: number } {
  if (!start.subarray(0, MAGIC.length).equals(MAGIC)) throw new BackupRefused(`${file} is no backup of Sendlap.`);
  const newline = start.indexOf('\n', MAGIC.length);
  const json = parseJson(start.subarray(MAGIC.length, Math.max(newline, 0)).toString());
  const format = (json as { format?: unknown } | undefined)?.format;
  if (typeof format === 'number' && format > FORMAT)
    throw new BackupRefused(`${file} has format ${format} of a newer Sendlap: update Sendlap first.`);
  const { data } = BackupHeader.safeParse(json);
  if (!data) throw damaged(file);
  return { header: data, header_bytes: newline + 1 - MAGIC.length };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const damaged = (file: string) => new BackupRefused(`${file} is incomplete or was changed: take another backup.`);

async function assertChecksum(file: string, handle: FileHandle, body_end: number): Promise<void> {
  if (body_end <= 0) throw damaged(file);
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { end: body_end - 1, highWaterMark: 2 ** 20 })) hash.update(chunk);
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  await handle.read(checksum, 0, CHECKSUM_BYTES, body_end);
  if (!hash.digest().equals(checksum)) throw damaged(file);
}

/** The migrations of a backup are the first ones of ours. */
async function assertSchemaIsKnown({ migrations, app_version }: BackupHeader): Promise<void> {
  const known = await readMigrationNames();
  const unknown = migrations.find((name, index) => name !== known[index]);
  if (isFromBeforeFirstRelease(migrations))
    throw new BackupRefused('A Sendlap from before 0.1.0 made this backup, and it cannot be restored.');
  if (unknown !== undefined)
    throw new BackupRefused(`Sendlap ${app_version} made this backup, with ${unknown}: update Sendlap first.`);
}

async function* readParts({
  file,
  ...range
}: {
  file: string;
  start: number;
  end: number;
}): AsyncGenerator<BackupPart> {
  const source = createReadStream(file, { ...range, highWaterMark: CHUNK_BYTES });
  // The reader of the frames gets the error.
  const body: Readable = pipeline(source, createZstdDecompress({ chunkSize: CHUNK_BYTES }), () => {});
  const frames = decodeFrames(body);
  let frame: Frame | undefined;
  const advance = async () => {
    const { value } = await frames.next();
    frame = value ?? undefined;
  };
  async function* readRows(): AsyncGenerator<Buffer> {
    for (; frame?.kind === FRAME.rows; await advance()) yield frame.content;
  }
  await advance();
  while (frame?.kind === FRAME.table) {
    const table = SavedTable.parse(JSON.parse(frame.content.toString()));
    await advance();
    yield { table, rows: readRows() };
  }
  if (frame?.kind !== FRAME.end) throw new Error('the backup has no end');
  yield { sums: BackupEnd.parse(JSON.parse(frame.content.toString())).tables };
}
