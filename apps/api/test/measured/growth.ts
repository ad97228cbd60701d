import { sql } from 'kysely';
import pg from 'pg';
import { createSessions } from '#api/sessions/sessions.ts';
import { buildTestApp } from '../app/app.ts';
import { grownId } from './fill-growth.ts';
import { answer } from './serve.ts';

/** The whole app on the filled database MEASURED_DATABASE_URL, for a bench that forks it. */
export type GrowthOrder =
  /** Signs in the athletes with these numbers, and reads so many centers from a number on: `GrownAthletes`. */
  | { what: 'athletes'; numbers: number[]; center: number; centers: number }
  | { what: 'memory' }
  /** The statements since the last order of this kind: `Plans`; only where the address turns auto_explain on. */
  | { what: 'plans' };

type SignIn = Extract<GrowthOrder, { what: 'athletes' }>;

export interface GrownAthletes {
  tokens: string[];
  centers: { id: string; latitude: number; longitude: number }[];
}

/** Rows that a statement's scans read, by table and index. */
export interface Plan {
  query: string;
  scans: { on: string; rows: number }[];
}
export interface Plans {
  plans: Plan[];
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

/** Sessions that are created concurrently. */
const AT_ONCE = 8;

let plans: Plan[] = [];
// PostgreSQL sends the plans as notices.
const { emit } = pg.Client.prototype;
pg.Client.prototype.emit = function emitAndRead(event: string | symbol, ...args: unknown[]): boolean {
  if (event === 'notice') readNotice((args[0] as { message?: string }).message ?? '');
  return emit.call(this, event, ...args);
};

function readNotice(message: string): void {
  const [, json] = /plan:\s*(\{.*\})\s*$/s.exec(message) ?? [];
  if (json === undefined) return;
  const { 'Query Text': query, Plan: plan } = JSON.parse(json) as { 'Query Text': string; Plan: PlanNode };
  plans.push({ query, scans: scansOf(plan) });
}

function scansOf(node: PlanNode): Plan['scans'] {
  const below = (node.Plans ?? []).flatMap(scansOf);
  const on = node['Relation Name'];
  if (on === undefined || !node['Node Type'].endsWith('Scan')) return below;
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const rows = Math.round(((node['Actual Rows'] ?? 0) + removed) * (node['Actual Loops'] ?? 0));
  return [{ on: `${on} by ${node['Index Name'] ?? node['Node Type']}`, rows }, ...below];
}

const scene = await buildTestApp({ database_url: process.env.MEASURED_DATABASE_URL ?? '', listen: true });
process.on('disconnect', () => void scene.close().then(() => process.exit(0)));
const sessions = createSessions({ database: scene.database, secrets: scene.secrets });

async function signIn({ numbers, center, centers }: SignIn): Promise<GrownAthletes> {
  const tokens: string[] = [];
  for (let at = 0; at < numbers.length; at += AT_ONCE) {
    const some = numbers.slice(at, at + AT_ONCE).map((n) => sessions.create(grownId('user', n), 'Bench'));
    tokens.push(...(await Promise.all(some)).map(({ access_token }) => access_token));
  }
  const found = await sql<GrownAthletes['centers'][number]>`
    select id, latitude, longitude from grown_centers join sport_centers using (id)
    where nth >= ${center} order by nth limit ${centers}
  `.execute(scene.database);
  return { tokens, centers: found.rows };
}

function takePlans(): Plans {
  const taken = plans;
  plans = [];
  return { plans: taken };
}

const { port } = new URL(scene.url);
answer<object, GrowthOrder>({ port: Number(port), path: '/', headers: {} }, async (order): Promise<object> => {
  if (order.what === 'athletes') return signIn(order);
  return order.what === 'plans' ? takePlans() : { rss_bytes: process.memoryUsage.rss() };
});
