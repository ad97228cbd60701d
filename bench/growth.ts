import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import {
  countsOf,
  fillGrowth,
  type GrowthSize,
  measureStorage,
  refereeOf,
  STAFF,
} from '../apps/api/test/measured/fill-growth.ts';
import type { GrownAthletes, Plan, Plans } from '../apps/api/test/measured/growth.ts';
import {
  type Answer,
  type Call,
  createCall,
  type OpenActivity,
  opsOf,
  scanOf,
} from '../apps/api/test/measured/load/visits.ts';
import { openScratch } from '../apps/api/test/measured/scratch.ts';
import { type Figure, type FigureSheet, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';
import { GROWN_READS, type GrownIds } from './load/grown-calls.ts';
import { endServers, forkServer, type LoadedServer, order } from './load/path-load.ts';
import { median, quantile } from './load/print.ts';

/** Of 1,000,000 athletes, 20,000,000 activities, 10,000,000 messages and 300,000 centers. */
const DEFAULT_SIZE = sized('0.05', '0.005');
const FEW = 1 / 100;
const READS = sized(100, 20);
const WARM = 5;
/** Below the limits of a minute for messages and of an hour for scans. */
const WRITES = 20;
const PLANS = 3;
/** A validation reads the rows of an athlete's day, its boards and its badges beside what it answers. */
const ROWS_A_ROW = 10;
const MAX_GROWTH = 1.3;
/** Faster calls differ by more from one run to the next. */
const CLOCK_MS = 0.2;
const MINUTE_MS = 60_000;
const APP = new URL('../apps/api/test/measured/growth.ts', import.meta.url);
const EXPLAIN = [
  'session_preload_libraries=auto_explain',
  ...['auto_explain.log_min_duration=0', 'auto_explain.log_analyze=on', 'auto_explain.log_timing=off'],
  ...['auto_explain.log_format=json', 'auto_explain.log_level=notice', 'auto_explain.log_nested_statements=on'],
]
  .map((setting) => `-c ${setting}`)
  .join(' ');

/**
 * Every read of the app, and its writes, on five years of a server beside a hundredth of it. Athlete 1, center 1 and the
 * chat of athlete 1 are equally large in both, so that a call differs by the database around it. Then the rows that each
 * statement's plan reads beside the rows of the reply, disk an activity and a message, and a vacuum of all.
 */
export async function run(_flags: object, { size = DEFAULT_SIZE }: Record<string, string>): Promise<Figure[]> {
  const share = Number(size);
  if (!(share > 0 && share <= 1)) throw new Error('--size is a share of the full size: 0 < size ≤ 1');
  const sheet = openFigureSheet();
  const scratch = openScratch();
  const servers: LoadedServer[] = [];
  const open = async (url: string, made = 0): Promise<Arm> => {
    const server = await forkServer(APP, { MEASURED_DATABASE_URL: url });
    servers.push(server);
    return openArm(server, countsOf(url.includes('/few') ? share * FEW : share).athletes, made);
  };
  try {
    const many_url = await scratch.startDatabase();
    const few_url = await scratch.addDatabase('few');
    const { activities, messages } = countsOf(share * FEW);
    const large: GrowthSize['large'] = {
      visits: Math.min(50_000, activities / 4),
      messages: Math.min(20_000, messages / 4),
    };
    for (const [url, part] of [[few_url, share * FEW] as const, [many_url, share] as const]) {
      const began_at = performance.now();
      await fillGrowth(url, scratch.folder, { share: part, large });
      console.log(`${describe(part)}, in ${((performance.now() - began_at) / 1000).toFixed(0)} s`);
    }
    await printStorage(sheet, many_url, share);
    const [few, many] = [await open(few_url), await open(many_url)];
    const times = await timeAll(few, many);
    await endServers(servers);
    const explained = await open(`${many_url}&options=${encodeURIComponent(EXPLAIN)}`, 2 * WRITES);
    printCalls(sheet, times, await readPlans(explained));
    return sheet.figures;
  } finally {
    await endServers(servers);
    await scratch.remove();
  }
}

function describe(share: number): string {
  const counts = Object.entries(countsOf(share)).map(([name, count]) => `${count.toLocaleString('en')} ${name}`);
  return `${share} of the full size: ${counts.join(', ')}`;
}

/** An app on one of the databases. */
interface Arm {
  server: LoadedServer;
  call: Call;
  ids: GrownIds;
  /** Of athlete 1, of the staff of center 1 and of its referee. */
  tokens: { busy: string; staff: string; referee: string };
  /** A referee confirms an athlete three times a day at most. */
  visitors: Visitor[];
  to_scan: OpenActivity[];
  made: number;
}

interface Visitor {
  token: string;
  public_id: string;
  device: { key_id: string; key: string };
}

/** `made`: visits of athlete 1 that another app has sent. */
async function openArm(server: LoadedServer, athletes: number, made: number): Promise<Arm> {
  const visitors = Array.from({ length: WRITES + PLANS }, (_, nth) => 11 + nth);
  const numbers = [1, STAFF, refereeOf(1, athletes), ...visitors];
  const { tokens, centers } = await order<GrownAthletes>(server, { what: 'athletes', numbers, center: 1, centers: 1 });
  const [busy = '', staff = '', referee = '', ...others] = tokens;
  const call = createCall(server.url, new Agent({ keepAlive: true, maxSockets: 1 }));
  const get = async <Data>(path: string): Promise<Data> => okData(await call(path, busy)) as Data;
  const [chat] = (await get<{ id: string; last_seq: number }[]>('/v1/chats')).sort((a, b) => b.last_seq - a.last_seq);
  const { items } = await get<{ items: { client_id: string }[] }>('/v1/activities?status=validated&limit=1');
  const openVisitor = async (token: string, nth: number): Promise<Visitor> => {
    const answer = await call('/v1/devices', token, { installation_id: randomUUID(), name: 'Phone' });
    return { token, public_id: `grown-${visitors[nth]}`, device: okData(answer) as Visitor['device'] };
  };
  const [center] = centers;
  if (!chat || !center || !items[0]) throw new Error('athlete 1 has no chat, center or activity');
  const ids = { chat_id: chat.id, last_seq: chat.last_seq, activity_id: items[0].client_id, center };
  const open = await Promise.all(others.map(openVisitor));
  return { server, call, ids, tokens: { busy, staff, referee }, visitors: open, to_scan: [], made };
}

function okData({ status, body }: Answer): unknown {
  if (status >= 300) throw new Error(`a call gave ${status}: ${JSON.stringify(body)}`);
  return body.data;
}

type Job = (arm: Arm) => Promise<Answer>;

/** Each read by its path; each write as a device sends it. */
function listJobs(): { name: string; job: Job; is_write: boolean }[] {
  const reads = GROWN_READS.map(({ path, as }) => ({
    name: `GET ${path({ chat_id: ':id', activity_id: ':id', last_seq: 0, center: { id: ':id', latitude: 0, longitude: 0 } })}`,
    job: (arm: Arm) => arm.call(path(arm.ids), as === 'anyone' ? '' : arm.tokens[as]),
    is_write: false,
  }));
  const writes: Record<string, Job> = {
    'send a message': ({ call, ids, tokens }) =>
      call(`/v1/chats/${ids.chat_id}/messages`, tokens.busy, { message: 'Thursday?', client_id: randomUUID() }),
    'sync: start and finish': async (arm) => {
      const visitor = arm.visitors.shift();
      if (!visitor) throw new Error('each visitor comes once');
      const activity = { ...nextVisit(arm), public_id: visitor.public_id, ...visitor.device };
      arm.to_scan.push(activity);
      return expectAccepted(await syncVisit(arm, visitor.token, activity));
    },
    'sync of athlete 1': async (arm) => expectAccepted(await syncVisit(arm, arm.tokens.busy, nextVisit(arm))),
    'scan of a code': async ({ call, ids, tokens, to_scan }) => {
      const activity = to_scan.pop();
      if (!activity) throw new Error('there is no activity to confirm');
      return expectAccepted(await call('/v1/activities/validate', tokens.referee, scanOf(ids.center.id, activity)));
    },
    'search of a friend': ({ call, tokens }) => call('/v1/friends/search', tokens.busy, { public_id: 'grown-9' }),
    'friends at centers': ({ call, ids, tokens }) =>
      call('/v1/user-location/batch', tokens.busy, { sport_center_ids: [ids.center.id] }),
  };
  return [...reads, ...Object.entries(writes).map(([name, job]) => ({ name, job, is_write: true }))];
}

/** Whole seconds, as in a code; no two overlap. */
function nextVisit(arm: Arm) {
  arm.made += 1;
  const ended_at = Math.floor((Date.now() - arm.made * 12 * MINUTE_MS) / 1000) * 1000;
  return { activity_id: randomUUID(), started_at: ended_at - 11 * MINUTE_MS, ended_at };
}

function syncVisit({ call, ids }: Arm, token: string, visit: ReturnType<typeof nextVisit>): Promise<Answer> {
  return call('/v1/activities/sync', token, { ops: opsOf(ids.center.id, visit) });
}

function expectAccepted(answer: Answer): Answer {
  const text = JSON.stringify(okData(answer));
  if (/"outcome":"(?!accepted)/.test(text)) throw new Error(`an op was refused: ${text}`);
  return answer;
}

interface Times {
  few: number[];
  many: number[];
}

/** One caller, the two databases in turn. */
async function timeAll(few: Arm, many: Arm): Promise<Map<string, Times>> {
  const all = new Map<string, Times>();
  for (const { name, job, is_write } of listJobs()) {
    const times: Times = { few: [], many: [] };
    for (let nth = 0; nth < (is_write ? WRITES : READS + WARM); nth += 1) {
      for (const [arm, list] of [[few, times.few] as const, [many, times.many] as const]) {
        const began_at = performance.now();
        const answer = await job(arm).catch((error: Error) => {
          throw new Error(`${name} failed, call ${nth}`, { cause: error });
        });
        const took_ms = performance.now() - began_at;
        if (nth === 0 && answer.status >= 300) console.log(`     ${name} gave ${answer.status}`);
        if (is_write || nth >= WARM) list.push(took_ms);
      }
    }
    all.set(name, times);
  }
  return all;
}

interface Read {
  rows: number;
  returned: number;
  plans: Plan[];
}

/** The fewest rows of several calls: other statements, of the jobs beside the calls, may fall into one. */
async function readPlans(arm: Arm): Promise<Map<string, Read>> {
  const all = new Map<string, Read>();
  for (const { name, job } of listJobs()) {
    const reads: Read[] = [];
    for (let nth = 0; nth < PLANS; nth += 1) {
      await order<Plans>(arm.server, { what: 'plans' });
      const returned = countObjects((await job(arm)).body.data);
      const { plans } = await order<Plans>(arm.server, { what: 'plans' });
      const rows = plans.flatMap(({ scans }) => scans).reduce((sum, scan) => sum + scan.rows, 0);
      reads.push({ rows, returned, plans });
    }
    const [least] = reads.sort((a, b) => a.rows - b.rows);
    if (least) all.set(name, least);
  }
  return all;
}

/** The records of a reply: its objects at every depth, at least one. */
function countObjects(data: unknown): number {
  const count = (value: unknown): number => {
    if (value === null || typeof value !== 'object') return 0;
    const below = Object.values(value).reduce((sum: number, each) => sum + count(each), 0);
    return Array.isArray(value) ? below : below + 1;
  };
  return Math.max(1, count(data));
}

function printCalls(sheet: FigureSheet, times: Map<string, Times>, reads: Map<string, Read>): void {
  console.log('\na hundredth → all, p50 and p99 in ms; growth of p50; rows read / records of the reply');
  let [worst, grown, greedy] = [0, 0, 0];
  for (const [name, { few, many }] of times) {
    const [before, after] = [median(few), median(many)];
    const growth = (after + CLOCK_MS) / (before + CLOCK_MS);
    const { rows, returned, plans } = reads.get(name) ?? { rows: 0, returned: 1, plans: [] };
    const is_greedy = rows > returned * ROWS_A_ROW;
    worst = Math.max(worst, growth);
    grown += growth > MAX_GROWTH ? 1 : 0;
    greedy += is_greedy ? 1 : 0;
    const p99 = `${quantile(few, 0.99).toFixed(1)} → ${quantile(many, 0.99).toFixed(1)}`;
    console.log(
      `${growth > MAX_GROWTH || is_greedy ? '>' : ' '} ${name.padEnd(58)} ${before.toFixed(2)} → ${after.toFixed(2)}  ` +
        `${p99}  ${growth.toFixed(2)} ×  ${rows} / ${returned}`,
    );
    if (is_greedy) for (const line of largestScans(plans)) console.log(`      ${line}`);
  }
  sheet.goal('largest growth of a call, p50', worst, { at_most: MAX_GROWTH }, ' ×');
  sheet.goal('calls that grow by more', grown, { at_most: 0 });
  sheet.goal(`calls that read more than ${ROWS_A_ROW} rows a record of the reply`, greedy, { at_most: 0 });
}

function largestScans(plans: Plan[]): string[] {
  const scans = plans.flatMap(({ scans, query }) => scans.map((scan) => ({ ...scan, query })));
  const largest = scans.sort((a, b) => b.rows - a.rows).slice(0, 2);
  return largest.map(
    ({ on, rows, query }) => `${rows} rows: ${on} in "${query.replaceAll(/\s+/g, ' ').trim().slice(0, 90)}…"`,
  );
}

async function printStorage(sheet: FigureSheet, url: string, share: number): Promise<void> {
  const { bytes, vacuum_s } = await measureStorage(url);
  const { activities, messages } = countsOf(share);
  const { messages: of_messages = 0, ...others } = bytes;
  const each = Object.entries(others).map(([name, all]) => `${name} ${(all / activities).toFixed(0)}`);
  const of_activities = Object.values(others).reduce((sum, all) => sum + all, 0);
  sheet.add('disk an activity', `${(of_activities / activities).toFixed(0)} bytes`, ` (${each.join(', ')})`);
  sheet.add('disk a message', `${(of_messages / messages).toFixed(0)} bytes`);
  sheet.add('vacuum of every page', `${vacuum_s.toFixed(1)} s`);
}
