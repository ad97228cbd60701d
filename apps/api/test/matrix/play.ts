import { EVENTS_PATH } from '@sendlap/contract/events.ts';
import { Failure, isErrorCode } from '@sendlap/contract/wire/errors.ts';
import * as z from 'zod/mini';
import { operationOf } from '../contract-endpoints.ts';
import { BESIDE_REQUESTS, type ChangedRow, type ChangeLog, openChangeLog } from '../database/change-log.ts';
import type { BodyUses } from './body-gaps.ts';
import { CALLER_NAMES, type CallerName } from './callers.ts';
import type { MatrixWorld } from './matrix-world.ts';
import { areLiveEvents, readStream } from './read-stream.ts';
import { ROWS_OF_ACCOUNTS } from './rows-of-accounts.ts';
import { LAST_ROWS_OF_CENTERS, ROWS_OF_CENTERS } from './rows-of-centers.ts';
import { ROWS_OF_EVENTS } from './rows-of-events.ts';
import { ROWS_OF_INVITES } from './rows-of-invites.ts';
import { LAST_CHANGES, OWN_CHANGES } from './rows-of-own-changes.ts';
import { LAST_ROWS_OF_PEOPLE, ROWS_OF_PEOPLE } from './rows-of-people.ts';
import { ROWS_OF_SERVER } from './rows-of-server.ts';
import { ROWS_OF_SYNC } from './rows-of-sync.ts';
import { ROWS_OF_TRAINING } from './rows-of-training.ts';
import { type Answer, answerFor, type Call, maySee, type Prepared, type Row } from './rules.ts';

export const ROWS: Row[] = [
  ...ROWS_OF_ACCOUNTS,
  ...ROWS_OF_PEOPLE,
  ...ROWS_OF_TRAINING,
  ...ROWS_OF_SYNC,
  ...ROWS_OF_CENTERS,
  ...ROWS_OF_SERVER,
  ...ROWS_OF_INVITES,
  ...ROWS_OF_EVENTS,
  ...OWN_CHANGES,
  ...LAST_ROWS_OF_PEOPLE,
  ...LAST_ROWS_OF_CENTERS,
  ...LAST_CHANGES,
];

export interface Cell {
  operation: string;
  on: string;
  caller: string;
  expected: Answer;
  /** Empty if the reply was right. */
  wrong: string[];
  /** Texts of others that the reply showed, allowed or not. */
  seen: string[];
}

/** Calls every row by every kind of caller, and compares each reply with the rules. */
export async function playMatrix(world: MatrixWorld, rows: readonly Row[], uses: BodyUses): Promise<Cell[]> {
  const changes = await openChangeLog(world.api.database, []);
  const cells: Cell[] = [];
  for (const row of rows) {
    const call = row.is_for_each ? {} : await prepare(world, row);
    for (const caller of callersOf(row)) {
      // Each success is about a thing of its own.
      const is_fresh = row.is_for_each || (answerFor(row, caller) === 'ok' && row.endpoint.method !== 'GET');
      const own = is_fresh ? await prepare(world, row, caller) : call;
      if (!(own instanceof Error)) await uses.note(row, caller, callOf(own), world.circle.accounts.get(caller));
      cells.push(await playCell({ world, changes, row, call: own }, caller));
    }
  }
  return cells;
}

const callOf = (prepared: Prepared): Call => (typeof prepared === 'function' ? prepared() : prepared);

async function prepare(world: MatrixWorld, row: Row, caller?: CallerName): Promise<Prepared | Error> {
  const who = caller && world.circle.accounts.get(caller);
  try {
    return (await row.make?.(world, who ?? world.spare)) ?? {};
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** The refused ones first, for a success may end what the row is about; the owner last. */
export function callersOf(row: Row): CallerName[] {
  const names = row.callers ?? CALLER_NAMES;
  const refused = names.filter((name) => answerFor(row, name) !== 'ok');
  return [...refused, ...names.filter((name) => !refused.includes(name))];
}

interface Stage {
  world: MatrixWorld;
  changes: ChangeLog;
  row: Row;
  call: Prepared | Error;
}

async function playCell({ world, changes, row, call: prepared }: Stage, caller: CallerName): Promise<Cell> {
  const { endpoint, on } = row;
  const expected = answerFor(row, caller);
  const cell: Cell = { operation: operationOf(endpoint), on, caller, expected, wrong: [], seen: [] };
  if (prepared instanceof Error) return { ...cell, wrong: [`could not be prepared: ${prepared.message}`] };
  const call = callOf(prepared);
  await changes.take();
  const reply = await send(world, row, call, caller);
  const answer = answerOf(reply);
  const { status, body } = reply;
  if (status === 403 || status >= 500) cell.wrong.push(`answered ${status} ${body}`);
  const is_right = answer === expected || (expected === 'nothing' && answer === 'ok');
  if (!is_right) cell.wrong.push(`answered ${answer}`);
  const harm = findHarm(world, row, caller, await changes.takeRows());
  if (harm.length > 0) cell.wrong.push(`changed ${harm.join(', ')}`);
  if (!hasRightShape(row, reply)) cell.wrong.push(`not of the contract: ${body.slice(0, 200)}`);
  cell.seen = Object.keys(world.canaries).filter((label) => body.includes(world.canaries[label] ?? ''));
  const leaked = cell.seen.filter((label) => answer !== 'ok' || !maySee(row, caller, label));
  const unsaid = leaked.filter((label) => !JSON.stringify(call).includes(world.canaries[label] ?? ''));
  if (unsaid.length > 0) cell.wrong.push(`shows ${unsaid.join(', ')}`);
  return cell;
}

/** Returns what changed although it may not: anything by a refusal or a read, rows of Ada by a change of another's own. */
function findHarm(world: MatrixWorld, row: Row, caller: CallerName, changed: ChangedRow[]): string[] {
  const { endpoint, notes = [], may_touch_ada } = row;
  if (answerFor(row, caller) !== 'ok' || endpoint.method === 'GET') {
    const noted = [...BESIDE_REQUESTS, 'friend_look_ups', ...notes];
    return tablesOf(changed).filter((table) => !noted.includes(table));
  }
  if (may_touch_ada === undefined || caller === 'owner') return [];
  const of_ada = tablesOf(changed.filter(({ text }) => text.includes(world.owner.user.id)));
  return of_ada.filter((table) => !may_touch_ada.includes(table)).map((table) => `${table} of Ada`);
}

const tablesOf = (rows: ChangedRow[]) => [...new Set(rows.map(({ table_name }) => table_name))].sort();

interface Sent {
  status: number;
  body: string;
}

let addresses = 0;

async function send(world: MatrixWorld, { endpoint }: Row, call: Call, caller: CallerName): Promise<Sent> {
  const { params = {}, query = {}, body } = call;
  const headers = { ...world.circle.headers[caller], ...call.headers };
  const who = world.circle.accounts.get(caller);
  if (endpoint.path === EVENTS_PATH) return readStream(world.api, who ?? world.spare, headers);
  addresses += 1;
  const reply = await world.api.app.inject({
    method: endpoint.method,
    url: endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? ''),
    query,
    headers,
    // Rate limits by address are not tested here.
    remoteAddress: `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`,
    ...(body && { payload: body }),
  });
  return { status: reply.statusCode, body: reply.body };
}

function answerOf({ status, body }: Sent): string {
  if (status >= 300) return String(readJson(body).code);
  // A reply to many ops has an outcome for each.
  const [first] = (readJson(body).data as { results?: { code?: string }[] } | undefined)?.results ?? [];
  return first?.code ?? 'ok';
}

function readJson(body: string): Record<string, unknown> {
  return body.startsWith('{') ? (JSON.parse(body) as Record<string, unknown>) : {};
}

function hasRightShape({ endpoint }: Row, { status, body }: Sent): boolean {
  if (status >= 300) {
    const failure = Failure.safeParse(readJson(body));
    return failure.success && isErrorCode(failure.data.code);
  }
  if (endpoint.path === EVENTS_PATH) return areLiveEvents(body);
  // The others are files.
  if (!endpoint.data) return true;
  return z.object({ success: z.literal(true), data: endpoint.data }).safeParse(readJson(body)).success;
}
