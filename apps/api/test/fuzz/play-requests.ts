import type { Endpoint } from '@sendlap/contract/wire/endpoint.ts';
import { Failure, isErrorCode } from '@sendlap/contract/wire/errors.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Database } from '#api/database/database.ts';
import { loadEndpoints, operationOf } from '../contract-endpoints.ts';
import { BESIDE_REQUESTS, type ChangeLog, openChangeLog } from '../database/change-log.ts';
import { CALLER_NAMES, CALLERS, type CallerName, grant, pair, signIn } from '../matrix/callers.ts';
import type { MatrixWorld } from '../matrix/matrix-world.ts';
import { type FuzzedRequest, fuzzedRequest } from './requests.ts';
import type { Pool } from './valid-values.ts';

export interface FuzzReport {
  sent: number;
  accepted: number;
  /** Replies by status and code. */
  answers: Record<string, number>;
  problems: string[];
}

interface FuzzOptions {
  seed: number;
  requests: number;
  /** Of these operations only. */
  only?: readonly string[];
}

/** The work of background jobs. */
const OF_JOBS = ['area_loads', 'street_loads'];
/** Where a request that was understood leaves a trace although it is refused: outcomes of ops, logs, and counts. */
const TRACES = ['activity_ops', 'validation_log', 'audit_entries', 'center_claims', 'friend_look_ups'];
/** Texts of the inside. */
const INNER = /node_modules|\.[jt]s:\d+|relation "|invalid input syntax|duplicate key|violates|SELECT /;
/** Segments that an address is shortened by. */
const DOTS = /^(\.|%2e){0,2}$/i;
const USERS = CALLER_NAMES.filter((name) => CALLERS[name] === 'user');

/** Sends requests made of the contract's schemas and broken in many ways; the seed repeats them. */
export async function playRequests(world: MatrixWorld, { seed, requests, only }: FuzzOptions): Promise<FuzzReport> {
  const changes = await openChangeLog(world.api.database, [...BESIDE_REQUESTS, ...OF_JOBS]);
  await ignoreEndsOfLoads(world.api.database);
  const pool = await fillPool(world);
  const endpoints = [...(await loadEndpoints()).values()].filter((each) => !only || only.includes(operationOf(each)));
  const sources = endpoints.map((endpoint) => ({ endpoint, made: fuzzedRequest(endpoint, poolFor(endpoint, pool)) }));
  const report: FuzzReport = { sent: 0, accepted: 0, answers: {}, problems: [] };
  for (let nth = 0; nth < requests; nth += 1) {
    const source = sources[nth % sources.length];
    if (!source) throw new Error('there is no such operation');
    const [request] = fc.sample(source.made, { seed: seed * 1_000_000 + nth, numRuns: 1 });
    if (!request) continue;
    const caller = callerOf(source.endpoint, Math.floor(nth / sources.length));
    await play({ world, changes, report, endpoint: source.endpoint, request, caller, nth });
  }
  return report;
}

/** A load that a request began ends later, with a line in the audit trail, beside any other request. */
async function ignoreEndsOfLoads(database: Database): Promise<void> {
  await sql`
    drop trigger change_log_rows on audit_entries;
    create trigger change_log_rows after insert on audit_entries for each row
      when (new.act !~ '_load_(done|failed)$') execute function change_log.note()`.execute(database);
}

/** Mostly a caller whom the endpoint admits; of users every third time Ada, who has most things. */
function callerOf({ access }: Endpoint, round: number): CallerName {
  if (round % 17 === 16) return 'without a token';
  if (access === 'kiosk') return 'kiosk';
  if (access === 'operator') return 'operator';
  if (access === 'manager') return round % 2 === 0 ? 'manager' : 'operator';
  return round % 3 === 0 ? 'owner' : (USERS[(round - Math.floor(round / 3)) % USERS.length] ?? 'owner');
}

interface Played {
  world: MatrixWorld;
  changes: ChangeLog;
  report: FuzzReport;
  endpoint: Endpoint;
  request: FuzzedRequest;
  caller: CallerName;
  nth: number;
}

async function play({ world, changes, report, endpoint, request, caller, nth }: Played): Promise<void> {
  await changes.take();
  const reply = await world.api.app.inject({
    method: endpoint.method,
    url: request.url,
    headers: { ...world.circle.headers[caller], ...request.headers },
    remoteAddress: `10.${(nth >> 16) & 255}.${(nth >> 8) & 255}.${nth & 255}`,
    ...(request.body && { payload: request.body }),
  });
  const { statusCode: status, body } = reply;
  const code = status < 300 ? '' : readCode(body);
  const answer = `${status} ${code}`.trim();
  report.sent += 1;
  if (status < 300) report.accepted += 1;
  report.answers[answer] = (report.answers[answer] ?? 0) + 1;
  const changed = status >= 300 ? await changes.take() : [];
  const harm = isMalformed(status, body) ? changed : changed.filter((table) => !TRACES.includes(table));
  const problems = [
    ...(status >= 500 || status === 403 ? [`answered ${status}`] : []),
    ...(harm.length > 0 ? [`refused with ${answer}, but changed ${harm.join(', ')}`] : []),
    ...(hasRightShape(endpoint, request, status, body) ? [] : [`a reply of another shape: ${body.slice(0, 300)}`]),
    ...(status >= 300 && INNER.test(body) ? [`shows the inside: ${body.slice(0, 300)}`] : []),
  ];
  for (const problem of problems)
    report.problems.push(`${nth}: ${operationOf(endpoint)}, ${caller}: ${problem}; ${describe(request)}`);
  await restore(world, { endpoint, request, caller, code });
}

/** Refused before anything was looked up. A rule that refuses an op names no `details`. */
function isMalformed(status: number, body: string): boolean {
  return (
    status === 413 || status === 415 || (status === 400 && !/"validation_failed"/.test(body)) || /"details"/.test(body)
  );
}

function readCode(body: string): string {
  try {
    return String((JSON.parse(body) as { code?: unknown }).code);
  } catch {
    return 'without JSON';
  }
}

/** A broken path may lead to another operation, or to a page of the app. */
function hasRightShape({ path, data }: Endpoint, { url }: FuzzedRequest, status: number, body: string): boolean {
  if (status === 304) return true;
  const asked = url.split('?')[0]?.split('/') ?? [];
  const is_same = path.split('/').every((part, nth) => {
    const given = asked[nth] ?? '';
    return part.startsWith(':') ? !DOTS.test(given) : part === given;
  });
  if (status < 300 && !is_same) return true;
  try {
    const reply: unknown = JSON.parse(body);
    if (status < 300) return z.object({ success: z.literal(true), data }).safeParse(reply).success;
    const failure = Failure.safeParse(reply);
    return failure.success && isErrorCode(failure.data.code);
  } catch {
    return false;
  }
}

const describe = ({ url, headers, body }: FuzzedRequest): string =>
  JSON.stringify({ url, headers, body: body?.toString('latin1').slice(0, 500) });

/** Requests also end sessions, accounts, rights and kiosks: the caller goes on as a new user, or is paired again. */
async function restore(
  world: MatrixWorld,
  { endpoint, request, caller, code }: Pick<Played, 'endpoint' | 'request' | 'caller'> & { code: string },
): Promise<void> {
  const { api, circle, center } = world;
  if (caller === 'kiosk' && code === 'kiosk_unknown' && !request.headers.authorization) {
    circle.headers.kiosk = { authorization: `Bearer ${await pair(api, center)}` };
    return;
  }
  const is_out = code === 'unauthenticated' || code === 'account_locked';
  const has_lost = (code === 'not_an_operator' || code === 'not_a_manager') && endpoint.access !== 'user';
  if (!(is_out || has_lost) || request.headers.authorization || CALLERS[caller] !== 'user') return;
  const who = await signIn(api, `Caller ${caller}`);
  circle.accounts.set(caller, who);
  circle.headers[caller] = who.headers;
  const user_id = who.user.id;
  if (caller === 'operator') await api.database.insertInto('operators').values({ user_id }).execute();
  if (caller === 'manager')
    await api.database.insertInto('managers').values({ user_id, sport_center_id: center }).execute();
  if (caller === 'referee') await grant(api, user_id, center);
}

async function fillPool(world: MatrixWorld): Promise<Pool> {
  const { people } = world.circle;
  const climbs = [await world.finished(), await world.finished(), await world.decided('reject'), await world.running()];
  const users = USERS.map((name) => world.of(name).user);
  return {
    center: [world.center, world.elsewhere, world.third],
    sport_center_id: [world.center, world.elsewhere],
    sport_center_ids: [world.center, world.elsewhere],
    chat_id: Object.values(people.chats).map(({ id }) => id),
    messageIds: Object.values(people.chats).flatMap(({ message_ids }) => message_ids),
    message_ids: people.chats.participant.message_ids,
    client_id: climbs.map(({ client_id }) => client_id),
    payload: climbs.map((climb) => world.codeOf(climb).payload),
    code: [world.codeOf(climbs[1] ?? (await world.finished())).digits],
    key_id: [world.device.key_id],
    user_id: users.map(({ id }) => id),
    receiver_id: users.map(({ id }) => id),
    public_id: users.map(({ public_id }) => public_id),
    receiver_public_id: users.map(({ public_id }) => public_id),
    scanner: users.map(({ public_id }) => public_id),
    friend: [people.friendship_id, people.sent_id, people.got_id, ...users.map(({ id }) => id)],
    browser: [people.subscription_id],
    session: USERS.map((name) => world.of(name).session_id),
    redirect_uri: [`${world.api.url}/auth/callback`],
    decision_ids: await decisionsOf(world),
  };
}

async function decisionsOf({ api, owner }: MatrixWorld): Promise<string[]> {
  const rows = api.database.selectFrom('decisions').select('id').where('athlete_id', '=', owner.user.id);
  return (await rows.execute()).map(({ id }) => id);
}

/** `:id` of a path is of what the path names. */
function poolFor({ path }: Endpoint, pool: Pool): Pool {
  const nouns = { 'sport-centers': 'center', friends: 'friend', 'push-subscriptions': 'browser', users: 'session' };
  const noun = path.split('/')[2] ?? '';
  return { ...pool, id: pool[nouns[noun as keyof typeof nouns]] ?? [] };
}
