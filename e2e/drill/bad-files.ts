import { createHash, randomBytes, randomInt } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { runSendlap } from './sendlap.ts';

interface BadFile {
  name: string;
  content: Buffer;
}

const KINDS = [cutShort, flipBit, makeForeign];

/** So many files that are no whole backup, of each kind by turns. */
export function makeBadFiles(good: Buffer, count: number): BadFile[] {
  return Array.from({ length: count }, (_, at) => (KINDS[at % KINDS.length] ?? cutShort)(good, Math.floor(at / 3)));
}

/** First where a reader may trust a part that is whole: nothing, the header alone, the checksum missing, one byte missing. */
function cutShort(good: Buffer, nth: number): BadFile {
  const header_end = good.indexOf('\n', good.indexOf('\n') + 1) + 1;
  const length = [0, header_end, good.length - 32, good.length - 1][nth] ?? randomInt(good.length);
  return { name: `cut to ${length} of ${good.length} bytes`, content: good.subarray(0, length) };
}

function flipBit(good: Buffer, nth: number): BadFile {
  const content = Buffer.from(good);
  // The first byte, the last one, and then any.
  const at = [0, good.length - 1][nth] ?? randomInt(good.length);
  const bit = randomInt(8);
  content.writeUInt8(content.readUInt8(at) ^ (1 << bit), at);
  return { name: `bit ${bit} of byte ${at} flipped`, content };
}

function makeForeign(good: Buffer, nth: number): BadFile {
  const foreign = FOREIGN[nth % FOREIGN.length] ?? randomFile;
  return foreign(good);
}

const FOREIGN: ((good: Buffer) => BadFile)[] = [
  () => ({ name: 'a dump of PostgreSQL', content: Buffer.from('--\n-- PostgreSQL database dump\n--\n\nSET x = 0;\n') }),
  () => ({ name: 'a custom dump of PostgreSQL', content: Buffer.concat([Buffer.from('PGDMP'), randomBytes(4_000)]) }),
  () => ({ name: 'JSON', content: Buffer.from('{"format": 1, "tables": []}\n') }),
  (good) => ({ name: 'a packed backup', content: gzipSync(good.subarray(0, 100_000)) }),
  (good) => ({ name: 'zeros', content: Buffer.alloc(good.length) }),
  (good) => ({ name: 'two backups in one', content: Buffer.concat([good, good]) }),
  (good) => ({ name: 'a backup behind a mark of its encoding', content: Buffer.concat([Buffer.from('\ufeff'), good]) }),
  (good) => withHeader(good, 'a later format', (header) => ({ ...header, format: 999 })),
  (good) =>
    withHeader(good, 'an unknown migration', ({ migrations, ...header }) => ({
      ...header,
      migrations: [...(migrations as string[]), '999-later'],
    })),
  (good) => withHeader(good, 'no migrations', ({ migrations: _migrations, ...header }) => header),
  randomFile,
];

function randomFile(): BadFile {
  return { name: 'random bytes', content: randomBytes(randomInt(1, 50_000)) };
}

/** Another header, and a checksum that fits: only what the header says is wrong. */
function withHeader(
  good: Buffer,
  name: string,
  change: (header: Record<string, unknown>) => Record<string, unknown>,
): BadFile {
  const start = good.indexOf('\n') + 1;
  const end = good.indexOf('\n', start);
  const header = change(JSON.parse(good.subarray(start, end).toString()));
  const body = Buffer.concat([good.subarray(0, start), Buffer.from(JSON.stringify(header)), good.subarray(end, -32)]);
  return { name, content: Buffer.concat([body, createHash('sha256').update(body).digest()]) };
}

/**
 * Restores the file into an empty folder with the secret. Returns the flaw of the refusal: it has to be one line and
 * exit code 1, and nothing may be written.
 */
export async function findFaultOfRefusal(file: BadFile, folder: string, secret: Buffer): Promise<string | undefined> {
  const data_dir = join(folder, 'empty');
  const path = join(folder, 'bad.sendlap');
  await mkdir(data_dir, { recursive: true });
  await writeFile(join(data_dir, 'secret'), secret);
  await writeFile(path, file.content);
  const { code, stdout, stderr } = await runSendlap(['backup', 'restore', path], { DATA_DIR: data_dir });
  if (code !== 1) return `${file.name}: it ended with code ${code}`;
  const lines = (stdout + stderr).trimEnd().split('\n');
  if (lines.length !== 1 || !isClear(lines[0] ?? '')) return `${file.name}: it said "${lines.join(' / ')}"`;
  const names = await readdir(data_dir);
  const is_same = names.length === 1 && (await readFile(join(data_dir, 'secret'))).equals(secret);
  return is_same ? undefined : `${file.name}: it changed the data folder`;
}

/** Returns whether the line says why the file cannot be used, or what to do. */
export function isClear(line: string): boolean {
  return /is no backup of Sendlap\.$|take another backup\.$|update Sendlap first\.$/.test(line);
}
