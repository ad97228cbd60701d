import { setTimeout as pause } from 'node:timers/promises';
import { type Around, type Board, OutdatedReading, type Page, type RankStore, type Score } from './rank-store.ts';
import { openRedis, type RedisClient } from './redis-ranks-client.ts';
import {
  APPLY,
  BEGIN_FILL,
  CLEAR,
  COUNT_ABOVE,
  END_FILL,
  FILL_PART,
  GIVE_UP_FILL,
  READ_AROUND,
  READ_PAGE,
  READ_WATERMARK,
  REMOVE,
  type RedisScript,
  WRITE_WATERMARK,
} from './redis-ranks-scripts.ts';
import { nameBoard, packScores, packUser, readRows } from './redis-ranks-wire.ts';

/** Renamed whenever what lies there changes its form, for nodes of the version before may still run. */
const ROOT = 'ranks2';
const HOUR_MS = 3_600_000;
/** A board that nobody asked for in this time gives way to the next one that is filled. */
const IDLE_MS = 24 * HOUR_MS;
/** What no node has touched for so long goes by itself. */
const KEPT_MS = 2 * IDLE_MS;
const ASKED_NOTED_EVERY_MS = 60_000;
/** All boards together; a user on a board takes some 200 bytes. */
const MAX_BOARDS = 1000;
const MAX_USERS = 20_000_000;
/** A node that is silent for so long while it fills a board has died; another begins anew. */
const FILL_LEASE_MS = 10_000;
const LEASE_RENEWED_EVERY_MS = 3000;
const WAIT_FOR_OTHERS_MS = 50;
/** Some 4 ms of Redis' time, so that others are served in between. */
const SCORES_PER_CALL = 500;

export interface RedisRanksOptions {
  url: string;
  /** Of all keys; of this database alone. */
  prefix: string;
  log: { warn(fields: object, text: string): void };
  /** How long a node that fills a board may be silent. */
  fill_lease_ms?: number;
  /** What all boards together may come to. */
  max_boards?: number;
  max_users?: number;
}

/** What a node knew of Redis when it last read the watermark. */
interface Reading {
  watermark: string;
  /** The last filling that had begun. */
  began: string;
  epoch: number;
}

/**
 * The boards of all nodes, in Redis. Every call is one script or several that may come in between others': a board is read
 * as it was at one moment.
 *
 * Why nothing is lost, whichever nodes read the log, fill boards, stop for a while or die: the watermark goes on from W to X
 * only after all changes between them were applied to every board that was there (`WRITE_WATERMARK`, and `epoch` for a Redis
 * that came back older meanwhile). A watermark of another life of the database server is dropped with every board. A board that began to be filled later has them from the database, for its rows were read
 * after it began, and so after the log was.
 *
 * Why nothing comes back: versions, and for users whom the rows of a filling did not have any more, and of whom the board
 * thus knows no version, `OutdatedReading`: changes are applied only to boards that began to be filled before these were read.
 * Whatever is missing in them is behind the watermark still, and comes.
 */
export function createRedisRanks(options: RedisRanksOptions): RankStore {
  const client = openRedis({ url: options.url, root: `${options.prefix}${ROOT}`, log: options.log });
  const following = createFollowing(client);
  const noteAsked = createAskedNotes();
  const ask = async (script: RedisScript, board: Board, ...args: (number | Buffer)[]) => {
    const name = nameBoard(board);
    const reply = await client.run(script, [name, noteAsked(name), ...args]);
    following.refuseOutdated();
    return reply;
  };
  return {
    async readPage(board, skip, limit): Promise<Page | undefined> {
      const reply = (await ask(READ_PAGE, board, skip, limit)) as [number, number, Buffer[]] | null;
      return reply ? { rows: readRows(reply[2], skip, reply[1]), total: reply[0] } : undefined;
    },
    async readAround(board, user_id, reach): Promise<Around | undefined> {
      const reply = (await ask(READ_AROUND, board, packUser(user_id), reach)) as AroundReply | null;
      return reply ? readAround(reply) : undefined;
    },
    async rankOf(board, points) {
      const above = (await ask(COUNT_ABOVE, board, -points)) as number | null;
      return above === null ? undefined : above + 1;
    },
    fill: createFill(client, following.hasWatermark, options),
    apply: following.apply,
    readWatermark: following.readWatermark,
    writeWatermark: following.writeWatermark,
    clear: following.clear,
    async remove(user_id) {
      await client.run(REMOVE, [packUser(user_id)]);
    },
    async close() {
      client.close();
    },
  };
}

/** Gives how long a board is kept from this question on; 0: that was said not long ago. */
function createAskedNotes(): (name: string) => number {
  const noted = new Map<string, number>();
  return (name) => {
    const now_ms = performance.now();
    if (now_ms - (noted.get(name) ?? Number.NEGATIVE_INFINITY) < ASKED_NOTED_EVERY_MS) return 0;
    if (noted.size === MAX_BOARDS) noted.clear();
    noted.set(name, now_ms);
    return KEPT_MS;
  };
}

/** Total, how many have more than the first row, rows, positions of the first one and of the user, −(the next points). */
type AroundReply = [number, number, Buffer[], number, number, Buffer];

function readAround([total, above, found, first, place, next]: AroundReply): Around {
  const next_points = next.length > 0 ? -Number(next) : null;
  return { rows: readRows(found, first, above), my_index: place - first, next_points, total };
}

function createFill(client: RedisClient, hasWatermark: () => boolean, options: RedisRanksOptions): RankStore['fill'] {
  const { fill_lease_ms: lease_ms = FILL_LEASE_MS, max_boards = MAX_BOARDS, max_users = MAX_USERS } = options;
  const running = new Map<string, Promise<void>>();
  return async (board, scores) => {
    const name = nameBoard(board);
    // One at a time here; those of other nodes are waited for in Redis.
    while (running.has(name)) await running.get(name)?.catch(() => {});
    const begin = () => client.run(BEGIN_FILL, [name, lease_ms, KEPT_MS, hasWatermark() ? 1 : 0]);
    const filled = fillBoard({
      client,
      name,
      scores,
      begin,
      lease_ms,
      bounds: [max_boards, max_users, IDLE_MS],
    }).finally(() => running.delete(name));
    running.set(name, filled);
    await filled;
  };
}

interface Filling {
  client: RedisClient;
  name: string;
  scores: AsyncIterable<Score[]>;
  begin: () => Promise<unknown>;
  lease_ms: number;
  /** Of all boards: how many, users on them, ms since they were asked for. */
  bounds: number[];
}

async function fillBoard({ client, name, scores, begin, lease_ms, bounds }: Filling): Promise<void> {
  const epoch = client.epoch();
  let began = 'wait';
  while (began === 'wait') {
    began = String(await begin());
    if (began === 'wait') await pause(WAIT_FOR_OTHERS_MS);
  }
  if (began === 'ready' || began === 'lost') return;
  const isOurs = async (script: RedisScript, ...args: (number | Buffer)[]) =>
    client.epoch() === epoch && (await client.run(script, [name, began, ...args])) === 1;
  const put = (packed: Buffer) => isOurs(FILL_PART, lease_ms, packed);
  const renewal = setInterval(() => void put(Buffer.alloc(0)).catch(() => {}), LEASE_RENEWED_EVERY_MS);
  try {
    if (await putAll(scores, put)) await isOurs(END_FILL, ...bounds);
  } catch (error) {
    await isOurs(GIVE_UP_FILL).catch(() => {});
    throw error;
  } finally {
    clearInterval(renewal);
  }
}

/** The next part is packed while Redis works on the one before. False once the board is not ours any more. */
async function putAll(scores: AsyncIterable<Score[]>, put: (packed: Buffer) => Promise<boolean>): Promise<boolean> {
  let before: Promise<boolean> = Promise.resolve(true);
  for await (const some of scores) {
    for (const packed of packScores(some, SCORES_PER_CALL)) {
      const sent = put(packed);
      // Seen to one round later.
      sent.catch(() => {});
      if (!(await before)) return false;
      before = sent;
    }
  }
  return await before;
}

interface Following extends Pick<RankStore, 'apply' | 'readWatermark' | 'writeWatermark' | 'clear'> {
  /** Throws an `OutdatedReading` where Redis was away since the watermark was read. */
  refuseOutdated(): void;
  hasWatermark(): boolean;
}

function createFollowing(client: RedisClient): Following {
  let reading: Reading | undefined;
  const refuseOutdated = () => {
    if (reading && reading.epoch !== client.epoch()) throw new OutdatedReading('Redis was away since the log was read');
  };
  return {
    refuseOutdated,
    hasWatermark: () => reading !== undefined && reading.watermark !== '',
    async apply(changes) {
      let is_outdated = false;
      for (const batch of batchChanges(changes)) {
        refuseOutdated();
        if ((await client.run(APPLY, [reading?.began ?? '', ...batch])) !== 0) is_outdated = true;
      }
      if (is_outdated) throw new OutdatedReading('a board began to be filled after the log was read');
    },
    async readWatermark() {
      const is_back = reading !== undefined && reading.epoch !== client.epoch();
      const epoch = client.epoch();
      const [watermark, began] = ((await client.run(READ_WATERMARK, [])) as Buffer[]).map(String);
      reading = { watermark: watermark ?? '', began: began ?? '', epoch };
      // Whoever remembers what was applied up to here must forget it, even if the watermark is the same.
      if (is_back) throw new OutdatedReading('Redis was away since the log was read');
      return reading.watermark === '' ? undefined : reading.watermark;
    },
    async writeWatermark(next) {
      refuseOutdated();
      const since = reading?.watermark ?? '';
      const is_written = (await client.run(WRITE_WATERMARK, [since, next, KEPT_MS])) === 1;
      if (!is_written) throw new OutdatedReading('the watermark is not where the reading of the log began');
      if (reading) reading.watermark = next;
    },
    async clear() {
      await client.run(CLEAR, []);
      if (reading) reading.watermark = '';
    },
  };
}

/** Names of boards and their packed scores in turns, so many at once that a call does not keep Redis from others. */
function batchChanges(changes: { board: Board; scores: Score[] }[]): (string | Buffer)[][] {
  const batches: (string | Buffer)[][] = [];
  let count = SCORES_PER_CALL;
  for (const { board, scores } of changes) {
    for (const packed of packScores(scores, SCORES_PER_CALL)) {
      if (count + scores.length > SCORES_PER_CALL) {
        batches.push([]);
        count = 0;
      }
      batches.at(-1)?.push(nameBoard(board), packed);
      count += scores.length;
    }
  }
  return batches;
}
