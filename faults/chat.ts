import { setTimeout as pause } from 'node:timers/promises';
import { type Operator, openOperator } from '../apps/api/test/app/operator.ts';
import { type DatabaseFault, databaseFaults } from '../apps/api/test/database/database-faults.ts';
import { auditChats, countTogether, readMessages, type StoredMessage } from '../apps/api/test/measured/chat-audit.ts';
import { makePairs, type Pair } from '../apps/api/test/measured/chat-people.ts';
import { startServer, type WholeServer } from '../e2e/server/server.ts';
import { type Figure, type FigureSheet, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';
import { openReader, type Reader, type ReaderFigures } from './load/chat-reader.ts';
import { type WriterTally, write } from './load/chat-writer.ts';
import { startCuttingProxy } from './load/cutting-proxy.ts';

const WRITERS = 8;
/** Concurrent lines of each writer, each in chats of its own. */
const LINES = 4;
const RECEIVERS = 16;
const SENDERS_EACH = 40;
const CUT_SHARE = 0.05;
const MOST_DELAY_MS = 20;
const SEEN_SHARE = 0.3;
const DURATION_MS = sized(60_000, 15_000);
const LONG_MS = 300_000;
/** Long enough for duplicates to show. */
const CONTROL_MS = sized(15_000, 8_000);
const BETWEEN_FAULTS_MS = 2_500;
const SETTLING_MS = 60_000;

/**
 * Eight writers send through a proxy that cuts and delays replies, while the server is repeatedly killed and PostgreSQL
 * is restarted or loses its connections; readers follow by streams and read again where a stream cannot resume. No
 * acknowledged message may be missing or doubled, the order of each sender must stay, and every reader must end with
 * the database's history. The control arm sends without ids, and must show duplicates.
 */
export async function run({ long = false }: { long?: boolean }): Promise<Figure[]> {
  const sheet = openFigureSheet();
  check(sheet, 'with ids', await runArm(long ? LONG_MS : DURATION_MS, true));
  if (long) check(sheet, 'two nodes', await runArm(DURATION_MS, true, true));
  const control = await runArm(CONTROL_MS, false);
  print('without ids', control);
  sheet.control('without ids', control.doubled > 0, `${control.doubled} doubled of ${control.acknowledged}`);
  return sheet.figures;
}

/** Throws if a message or a history is wrong, or if too little happened to prove anything. */
export function check(sheet: FigureSheet, name: string, arm: Arm): void {
  print(name, arm);
  const { lost, doubled, disordered, differing, with_gaps, wrong_counters, out_of_order } = arm;
  if (lost + doubled + disordered > 0) throw new Error('a message was lost, doubled or out of order');
  if (differing > 0) throw new Error(`${differing} readers know another history than the database`);
  if (with_gaps + wrong_counters + out_of_order > 0) throw new Error('numbers or counters are wrong');
  if (arm.rows_a_statement <= 1) throw new Error('no two messages were written together: this proves too little');
  // Each message has a reader. A reader that only re-reads, without events, would find everything, too.
  if (arm.by_event < arm.acknowledged / 2) throw new Error('most messages were not told, but read');
  if (Math.min(arm.cuts, arm.database_faults) === 0)
    throw new Error('not everything was disturbed: this proves too little');
  const faults = `${arm.cuts} cuts, ${arm.kills} kills, ${arm.database_faults} faults of PostgreSQL`;
  sheet.add(name, `${arm.acknowledged} acknowledged, ${faults}; 0 lost, doubled or out of order`);
}

export interface Arm {
  acknowledged: number;
  cuts: number;
  kills: number;
  database_faults: number;
  repeats: number;
  lost: number;
  doubled: number;
  /** Messages before which the same sender had sent a later one to the same chat. */
  disordered: number;
  streams: number;
  re_reads: number;
  by_event: number;
  out_of_order: number;
  /** Readers whose history differs from the database's. */
  differing: number;
  with_gaps: number;
  wrong_counters: number;
  rows_a_statement: number;
}

/** `has_second`: with a second node next to the first, on the same database. */
async function runArm(duration_ms: number, keep_ids: boolean, has_second = false): Promise<Arm> {
  const env = { LOG_LEVEL: 'silent' };
  const first = await startServer({ env });
  const nodes = [first];
  const operator = await openOperator(first);
  try {
    const shared = { DATABASE_URL: first.database_url, SECRET: first.secret };
    if (has_second) nodes.push(await startServer({ env: { ...env, ...shared } }));
    return await runChats({ nodes, operator, keep_ids }, () => disturb(nodes, operator, duration_ms));
  } finally {
    await operator.close();
    for (const node of nodes.reverse()) await node.remove();
  }
}

interface Chats {
  nodes: readonly WholeServer[];
  operator: Operator;
  /** Sends the same id with each retry. */
  keep_ids: boolean;
  onAcknowledged?: () => void;
}

interface CausedFaults {
  kills: number;
  database_faults: number;
}

/**
 * Writers and readers on the nodes, while `causeFaults` disturbs them; all nodes are up when it ends. Throws at once if a
 * message is refused for good.
 */
export async function runChats(
  { nodes, operator, keep_ids, onAcknowledged }: Chats,
  causeFaults: () => Promise<CausedFaults>,
): Promise<Arm> {
  const proxies = await Promise.all(
    nodes.map(({ url }) => startCuttingProxy(Number(new URL(url).port), CUT_SHARE, MOST_DELAY_MS)),
  );
  const readers: OpenReader[] = [];
  try {
    const scene = await openScene(operator);
    const urls = proxies.map(({ port }) => `http://127.0.0.1:${port}`);
    readers.push(...(await openReaders(urls, scene)));
    const running = { until: Number.POSITIVE_INFINITY, is_aborted: false };
    const refused = Promise.withResolvers<never>();
    const lines = Array.from({ length: WRITERS * LINES }, (_, nth) => {
      const chats = scene.pairs.filter((_pair, place) => place % (WRITERS * LINES) === nth);
      const name = `writer ${nth % WRITERS}, line ${nth}, message`;
      return write({ urls, chats, name, keep_ids, running, onAcknowledged, onRefused: refused.reject });
    });
    const work = async () => {
      const faults = await causeFaults();
      running.until = Date.now();
      return { faults, tallies: await Promise.all(lines) };
    };
    const { faults, tallies } = await Promise.race([work(), refused.promise]).catch((error: unknown) => {
      // Writers without an end would keep the program running.
      running.is_aborted = true;
      throw error;
    });
    const differing = await settleReaders(operator, readers);
    return {
      ...faults,
      ...figuresOf(tallies),
      ...sumReaders(readers),
      ...(await recount(operator, tallies)),
      cuts: proxies.reduce((sum, { cuts }) => sum + cuts(), 0),
      differing,
    };
  } finally {
    await Promise.all(readers.map(({ reader }) => reader.close()));
    for (const proxy of proxies) await proxy.close();
  }
}

interface Scene {
  pairs: (Pair & { token: string })[];
  readers: { user_id: string; token: string; chat_ids: string[] }[];
}

/** Creates receivers with friends, all signed in; the readers are all receivers and one sender for each. */
async function openScene({ database, createSession }: Operator): Promise<Scene> {
  const pairs: Scene['pairs'] = [];
  for (const pair of await makePairs(database, RECEIVERS, SENDERS_EACH)) {
    pairs.push({ ...pair, token: await createSession(pair.sender_id) });
  }
  const readers: Scene['readers'] = [];
  for (const user_id of new Set(pairs.map(({ receiver_id }) => receiver_id))) {
    const own = pairs.filter(({ receiver_id }) => receiver_id === user_id);
    readers.push({ user_id, token: await createSession(user_id), chat_ids: own.map(({ chat_id }) => chat_id) });
    const [first] = own;
    if (first) readers.push({ user_id: first.sender_id, token: first.token, chat_ids: [first.chat_id] });
  }
  return { pairs, readers };
}

interface OpenReader {
  reader: Reader;
  chat_ids: string[];
}

async function openReaders(urls: string[], { readers }: Scene): Promise<OpenReader[]> {
  const open = readers.map((one) => ({ ...one, reader: openReader({ urls, ...one, seen_share: SEEN_SHARE }) }));
  await Promise.all(open.map(({ reader }) => reader.opened));
  return open;
}

/** Causes one fault after another, until the time is over and all nodes are back. */
async function disturb(nodes: readonly WholeServer[], operator: Operator, duration_ms: number): Promise<CausedFaults> {
  const until = Date.now() + duration_ms;
  const counts = { kills: 0, database_faults: 0 };
  const faults: (DatabaseFault | 'kill')[] = ['kill', ...databaseFaults(nodes[0]?.data_dir ?? '', operator.database)];
  for (let nth = 0; Date.now() < until; nth += 1) {
    await pause(BETWEEN_FAULTS_MS);
    const fault = faults[nth % faults.length];
    if (fault === 'kill') {
      const node = nodes[counts.kills % nodes.length];
      await node?.kill();
      await node?.start();
      counts.kills += 1;
    } else {
      await fault?.();
      counts.database_faults += 1;
    }
  }
  return counts;
}

function figuresOf(tallies: WriterTally[]): Pick<Arm, 'acknowledged' | 'repeats'> {
  return {
    acknowledged: tallies.flatMap(({ acknowledged }) => acknowledged).length,
    repeats: tallies.reduce((sum, { repeats }) => sum + repeats, 0),
  };
}

/** Waits until all readers have the history of the rows, or a timeout; returns how many do not. */
async function settleReaders(operator: Operator, readers: OpenReader[]): Promise<number> {
  const until = Date.now() + SETTLING_MS;
  for (;;) {
    const rows = await readMessages(operator.database);
    const differing = readers.filter(({ reader, chat_ids }) => {
      const mine = new Set(chat_ids);
      const expected = rows.filter(({ chat_id }) => mine.has(chat_id));
      return !knowsAll(reader, expected);
    });
    if (differing.length === 0 || Date.now() > until) return differing.length;
    await pause(500);
  }
}

function knowsAll(reader: Reader, rows: StoredMessage[]): boolean {
  const known = reader.history();
  if (known.size !== rows.length) return false;
  return rows.every(({ id, chat_id, seq, text, is_read }) => {
    const message = known.get(id);
    const is_same = message?.chat_id === chat_id && message.seq === seq && message.message === text;
    return is_same && (message.read_at !== null) === is_read;
  });
}

function sumReaders(readers: OpenReader[]): Pick<Arm, keyof ReaderFigures> {
  const all = readers.map(({ reader }) => reader.figures());
  const sum = (of: keyof (typeof all)[number]) => all.reduce((total, figures) => total + figures[of], 0);
  return {
    streams: sum('streams'),
    re_reads: sum('re_reads'),
    by_event: sum('by_event'),
    out_of_order: sum('out_of_order'),
  };
}

async function recount(operator: Operator, tallies: WriterTally[]) {
  const rows = await readMessages(operator.database);
  const by_id = new Map(rows.map((row) => [row.id, row]));
  const lost = tallies
    .flatMap(({ acknowledged }) => acknowledged)
    .filter(({ id, chat_id, seq, text }) => {
      const row = by_id.get(id);
      return row?.chat_id !== chat_id || row.seq !== seq || row.text !== text;
    });
  const { with_gaps, wrong_counters } = await auditChats(operator.database);
  return {
    lost: lost.length,
    doubled: rows.length - new Set(rows.map(({ text }) => text)).size,
    disordered: countDisordered(rows),
    with_gaps,
    wrong_counters,
    rows_a_statement: await countTogether(operator.database),
  };
}

/** Counts by texts: each chat has one sender, whose texts end with an increasing number. */
function countDisordered(rows: StoredMessage[]): number {
  const latest = new Map<string, number>();
  let disordered = 0;
  for (const { chat_id, text } of rows) {
    const nth = Number(text.split(' ').at(-1));
    if (nth < (latest.get(chat_id) ?? -1)) disordered += 1;
    latest.set(chat_id, nth);
  }
  return disordered;
}

function print(name: string, arm: Arm): void {
  const lines = [
    `${name}: ${arm.acknowledged} acknowledged, ${arm.repeats} repeats; ${arm.cuts} replies cut, ${arm.kills} kills of the server, ${arm.database_faults} faults of PostgreSQL; ${arm.rows_a_statement.toFixed(2)} messages a statement`,
    `  lost ${arm.lost}, doubled ${arm.doubled}, out of order ${arm.disordered}; chats with gaps ${arm.with_gaps}, with wrong counters ${arm.wrong_counters}`,
    `  ${arm.streams} streams, ${arm.re_reads} re-reads, ${arm.by_event} messages known by an event; events out of order ${arm.out_of_order}; readers with another history ${arm.differing}`,
  ];
  for (const line of lines) console.log(line);
}
