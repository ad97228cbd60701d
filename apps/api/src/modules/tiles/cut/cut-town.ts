import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EtagMismatch } from 'pmtiles';
import { START_BYTES } from '../archive/archive-format.ts';
import { createUrlSource } from '../archive/byte-source.ts';
import { createCheckedReader, InvalidArchive } from '../archive/checked-reader.ts';
import { cutFile, cutFolder } from '../archive/cut-file.ts';
import { SourceMissing, SourceUnreachable, SourceUnusable } from '../archive/redirects.ts';
import { type KeptRanges, openKeptRanges, readKeptSource } from './kept-ranges.ts';
import { mergeRanges } from './merge-ranges.ts';
import { CutRefused, type PlannedTown, planCut } from './plan-cut.ts';
import { writeCut } from './write-cut.ts';

export interface CutTownOptions {
  data_dir: string;
  /** Of a PMTiles archive; in the address of a daily one, `{date}` is today or the latest day before it. */
  source: string;
  now: () => Date;
  /** Cancels the cut: it throws, and the fetched ranges stay for the next one. */
  signal: AbortSignal;
  /** `total`: bytes to fetch. */
  onProgress: (fetched: number, total: number) => void;
  /** Once the new archive is whole; if it rejects, the previous one stays. */
  beforeReplacing?: (() => Promise<void>) | undefined;
  /** Between tries. */
  wait?: ((ms: number) => Promise<unknown>) | undefined;
  max_bytes?: number | undefined;
  /** Time limit (ms) of one reply of the host. */
  timeout_ms?: number | undefined;
}

/** A town that was cut. */
export interface CutTown {
  tiles: number;
  bytes: number;
  /** Smaller than the town's if its tiles have too many bytes. */
  radius_km: number;
  max_zoom: number;
}

/** Long enough for 1 MB on a slow line. */
const TIMEOUT_MS = 30_000;
/** Waits before another try after a lost connection. */
const RETRY_WAITS_MS = [1_000, 5_000, 15_000];
/** How old the latest of daily archives may be. */
const MAX_AGE_DAYS = 7;
const DATE = '{date}';
const UNWRITABLE = ['EACCES', 'EIO', 'EPERM', 'EROFS'];

/**
 * Cuts the streets of a town out of a remote archive, checks them, and replaces the previous ones. Throws CutRefused
 * with a sentence for the operator; a later cut of the same town goes on where this one ended.
 */
export async function cutTown(town: PlannedTown, options: CutTownOptions): Promise<CutTown> {
  const { wait = sleep, signal } = options;
  let changes = 0;
  for (let tries = 0; ; ) {
    try {
      return await cutOnce(town, options);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof EtagMismatch && changes === 0) changes += 1;
      else if (error instanceof SourceUnreachable && tries < RETRY_WAITS_MS.length)
        await wait(RETRY_WAITS_MS[tries++] ?? 0);
      else throw toRefusal(error);
    }
  }
}

async function cutOnce(town: PlannedTown, options: CutTownOptions): Promise<CutTown> {
  const { data_dir, signal, onProgress, beforeReplacing, max_bytes } = options;
  const kept = await openSource(town, options);
  try {
    const reader = createCheckedReader(kept.read);
    const plan = await planCut(reader, town, max_bytes);
    const ranges = mergeRanges(plan.tiles);
    const total = ranges.reduce((sum, { length }) => sum + length, 0);
    let fetched = 0;
    for (const { offset, length } of ranges) {
      signal.throwIfAborted();
      onProgress(fetched, total);
      if ((await kept.read(offset, length)).bytes.length < length) throw new InvalidArchive('the archive is cut short');
      fetched += length;
    }
    onProgress(total, total);
    await placeCut(data_dir, async (path) => {
      await writeCut(path, plan, { ranges, read: kept.read });
      await beforeReplacing?.();
    });
    await kept.clear();
    const { tiles, bytes, radius_km, header } = plan;
    return { tiles: tiles.length, bytes, radius_km, max_zoom: header.maxZoom };
  } catch (error) {
    // Ranges of a damaged or replaced archive are of no use.
    if (error instanceof EtagMismatch || error instanceof InvalidArchive) await kept.clear();
    throw error;
  }
}

/** Opens the archive that an interrupted cut read, else the one of the setting. */
async function openSource({ name, latitude, longitude, radius_km }: PlannedTown, options: CutTownOptions) {
  const { data_dir, source, now, signal, timeout_ms = TIMEOUT_MS } = options;
  const folder = join(cutFolder(data_dir), 'partial');
  const purpose = JSON.stringify([source, name, latitude, longitude, radius_km]);
  const kept = await readKeptSource(folder);
  const addresses = [...(kept?.purpose === purpose ? [kept.address] : []), ...addressesOf(source, now())];
  let missing: unknown;
  for (const address of addresses) {
    const ranges = await openKeptRanges(folder, { address, purpose }, createUrlSource(address, { timeout_ms, signal }));
    const problem = await readStart(ranges);
    if (!problem) return ranges;
    missing = problem;
  }
  throw missing;
}

/** Returns the error if there is no file at the address. */
async function readStart(ranges: KeptRanges): Promise<SourceMissing | undefined> {
  try {
    await ranges.read(0, START_BYTES);
    return undefined;
  } catch (error) {
    if (error instanceof SourceMissing) return error;
    throw error;
  }
}

function addressesOf(source: string, now: Date): string[] {
  if (!source.includes(DATE)) return [source];
  return Array.from({ length: MAX_AGE_DAYS + 1 }, (_, age) => {
    const day = new Date(now.getTime() - age * 86_400_000).toISOString().slice(0, 10);
    return source.replace(DATE, day.replaceAll('-', ''));
  });
}

/** Writes the archive beside the previous one, and replaces that only when it is whole. */
async function placeCut(data_dir: string, write: (path: string) => Promise<void>): Promise<void> {
  const path = cutFile(data_dir);
  const new_path = `${path}.new`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await write(new_path);
    await rename(new_path, path);
    await using folder = await open(dirname(path), 'r');
    await folder.sync();
  } catch (error) {
    await rm(new_path, { force: true });
    throw error;
  }
}

function toRefusal(error: unknown): unknown {
  if (error instanceof SourceUnreachable)
    return new CutRefused(`${error.message}. Try again later: the streets so far are kept.`);
  if (error instanceof EtagMismatch) return new CutRefused('The map at the address changes too often to be read.');
  if (error instanceof SourceUnusable || error instanceof InvalidArchive)
    return new CutRefused(`The map at MAP_STREETS_SOURCE cannot be used: ${error.message}.`);
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC') return new CutRefused('The disk is full.');
  return UNWRITABLE.includes(code ?? '') ? new CutRefused('The server cannot write to DATA_DIR.') : error;
}

function sleep(ms: number): Promise<unknown> {
  return new Promise((done) => setTimeout(done, ms));
}
