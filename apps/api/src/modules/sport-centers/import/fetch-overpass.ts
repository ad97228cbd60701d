import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRecord } from '@sendlap/contract/wire/json-record.ts';
import type { BoundingBox } from '@sendlap/domain/geo.ts';
import { SPORTS } from '@sendlap/domain/sports.ts';
import { createOutgoing, toResponse } from '#api/http/outgoing.ts';
import { RULES_BY_SPORT } from './classify/rules-by-sport.ts';
import { type Area, splitIntoCells } from './read/overpass-area.ts';
import { parseJson } from './read/parse-json.ts';
import { textOf } from './read/read-text.ts';
import { ImportError } from './read/types.ts';

/** The server's own time limit for a query, and ours for the response. */
const QUERY_TIMEOUT_S = 180;
const RESPONSE_TIMEOUT_MS = (QUERY_TIMEOUT_S + 60) * 1000;
const FRESH_MS = 24 * 3600 * 1000;
const MAX_TRIES = 6;
const FIRST_WAIT_MS = 5_000;
const MAX_WAIT_MS = 5 * 60 * 1000;
/** Pause (ms) between two queries, so that other users get their turn. */
const PAUSE_MS = 1_000;
const HEADERS = {
  'user-agent': 'Sendlap sport center import',
  accept: 'application/json',
  'accept-encoding': 'gzip',
  'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
};
/** A cell of half a degree has a few thousand elements. */
const MAX_REPLY_BYTES = 64e6;
const MAX_ELEMENTS = 50_000;
const MIN_WAIT_MS = 1_000;
const MAX_REMARK_LENGTH = 200;
/** The tags that `readName` accepts as a name. */
const HAS_NAME = '[~"^(name|official_name|brand)$"~"."]';

const send = createOutgoing();

export type FetchOptions = {
  endpoint: string;
  /** Responses are stored here, so that a later run resumes where one ended. */
  folder: string;
  /** Query again even cells with a stored response. */
  fresh: boolean;
  on_cell: (done: number, total: number) => void;
  /** The server is busy, and is queried again after this time (ms). */
  on_busy?: ((wait_ms: number) => void) | undefined;
  /** Ends the queries: `fetchArea` rejects with its reason. */
  signal?: AbortSignal | undefined;
  wait?: (ms: number) => Promise<unknown>;
  now?: () => number;
};

/**
 * Queries an Overpass server for an area, cell by cell, one query at a time; skips cells with a response from the last
 * day. If the server is busy, waits as long as it says. Returns the files of all cells.
 *
 * @throws ImportError `overpass_failed` if a cell fails; the cells before it are kept for the next run
 */
export async function fetchArea(area: Area, options: FetchOptions): Promise<string[]> {
  const { folder, signal, now = Date.now, wait = (ms) => sleep(ms, undefined, { signal }) } = options;
  const cells = splitIntoCells(area.box);
  await mkdir(join(folder, area.key), { recursive: true });
  const files: string[] = [];
  for (const [done, cell] of cells.entries()) {
    options.on_cell(done, cells.length);
    const path = join(folder, area.key, `${done}.json`);
    files.push(path);
    const known = await stat(path).catch(() => null);
    if (known !== null && !options.fresh && now() - known.mtimeMs < FRESH_MS) continue;
    await fetchCell(cell, path, { ...options, wait, now }, `cell ${done + 1} of ${cells.length}`);
    if (done + 1 < cells.length) await wait(PAUSE_MS);
  }
  options.on_cell(cells.length, cells.length);
  return files;
}

type CellOptions = Omit<Required<FetchOptions>, 'on_busy' | 'signal'> & Pick<FetchOptions, 'on_busy' | 'signal'>;

type Failure = { reason: string; retry_after_ms: number | null; is_final: boolean };

async function fetchCell(cell: BoundingBox, path: string, options: CellOptions, name: string): Promise<void> {
  let reason = '';
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const failure = await tryCell(cell, path, options);
    if (failure === null) return;
    reason = failure.reason;
    if (failure.is_final) break;
    if (tries + 1 === MAX_TRIES) break;
    const wait_ms = Math.max(MIN_WAIT_MS, Math.min(MAX_WAIT_MS, failure.retry_after_ms ?? FIRST_WAIT_MS * 2 ** tries));
    options.on_busy?.(wait_ms);
    await options.wait(wait_ms);
  }
  throw new ImportError('overpass_failed', `${name}: ${reason}`);
}

async function tryCell(cell: BoundingBox, path: string, options: CellOptions): Promise<Failure | null> {
  const reply = await queryCell(cell, options);
  if (typeof reply !== 'string') return reply;
  const problem = findProblem(reply);
  if (problem !== null) return problem;
  // Of its own: another process may fetch the same cell.
  const temp_path = `${path}.${process.pid}.part`;
  try {
    await writeFile(temp_path, reply);
    await rename(temp_path, path);
    return null;
  } catch (error) {
    return finalFailure(`the answer can't be stored: ${describeError(error)}`);
  } finally {
    await rm(temp_path, { force: true });
  }
}

const retryable = (reason: string): Failure => ({ reason, retry_after_ms: null, is_final: false });
const finalFailure = (reason: string): Failure => ({ reason, retry_after_ms: null, is_final: true });

/** Returns the text of the reply. */
async function queryCell(cell: BoundingBox, options: CellOptions): Promise<string | Failure> {
  const { endpoint, signal } = options;
  const { host } = new URL(endpoint);
  try {
    // Follows no redirect, which would turn the query into a request without one.
    const reply = await send(new URL(endpoint), {
      method: 'POST',
      headers: HEADERS,
      body: new URLSearchParams({ data: buildQuery(cell) }).toString(),
      signal: AbortSignal.any([AbortSignal.timeout(RESPONSE_TIMEOUT_MS), ...(signal ? [signal] : [])]),
    });
    const response = toResponse(reply);
    if (!response.ok) {
      await response.body?.cancel();
      const isBusy = response.status === 429 || response.status >= 500;
      const retry_after_ms = readRetryAfter(response.headers.get('retry-after'), options.now());
      return { reason: `${host} answered ${response.status}`, retry_after_ms, is_final: !isBusy };
    }
    return (
      (await readText(response)) ?? finalFailure(`the answer of ${host} is larger than ${MAX_REPLY_BYTES / 1e6} MB`)
    );
  } catch (error) {
    signal?.throwIfAborted();
    return retryable(`${host} can't be reached: ${describeError(error)}`);
  }
}

function unpacked({ headers, body }: Response): ReadableStream<Uint8Array> | [] {
  if (body === null) return [];
  return headers.get('content-encoding') === 'gzip'
    ? body.pipeThrough(new DecompressionStream('gzip') as ReadableWritablePair<Uint8Array, Uint8Array>)
    : body;
}

/** Returns null for a reply that is too large. */
async function readText(response: Response): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of unpacked(response)) {
    bytes += chunk.length;
    if (bytes > MAX_REPLY_BYTES) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/**
 * Queries everything that can be a sport center by the rules of `classify`, with the center point of shapes: an element
 * missing here counts as vanished.
 */
function buildQuery({ west, south, east, north }: BoundingBox): string {
  const asked = SPORTS.map((sport) => RULES_BY_SPORT[sport].overpass);
  const alternatives = (tag: 'sport' | 'leisure' | 'amenity') => asked.map((of_sport) => of_sport[tag]).join('|');
  const by_name = asked.flatMap(({ leisure_by_name }) => leisure_by_name ?? []);
  return [
    `[out:json][timeout:${QUERY_TIMEOUT_S}][bbox:${south},${west},${north},${east}];`,
    `(nwr["sport"~"${alternatives('sport')}"];`,
    `nwr["leisure"~"^(${alternatives('leisure')})$"]${HAS_NAME};`,
    `nwr["amenity"~"^(${alternatives('amenity')})$"]${HAS_NAME};`,
    // Only elements without a sport may be centers by their name alone.
    ...by_name.map(({ source }) => `nwr["leisure"~"${source}"][!"sport"]${HAS_NAME};`),
    ');',
    'out tags center;',
  ].join('');
}

/** Seconds or a date (RFC 9110), as ms; null if the header is missing or invalid. */
function readRetryAfter(text: string | null, now: number): number | null {
  if (text === null) return null;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** A response can be well-formed and yet state that it is incomplete, or be an error page of the server. */
function findProblem(text: string): Failure | null {
  try {
    const value = parseJson(text);
    if (!isRecord(value) || !Array.isArray(value.elements)) return retryable('the answer is not Overpass JSON');
    if (value.elements.length > MAX_ELEMENTS)
      return finalFailure(`the answer has more than ${MAX_ELEMENTS} elements: import a file of the area`);
    const remark = textOf(value.remark);
    return remark === null ? null : retryable(`the answer is incomplete: ${remark.slice(0, MAX_REMARK_LENGTH)}`);
  } catch (error) {
    return retryable(`the answer is broken: ${describeError(error)}`);
  }
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
