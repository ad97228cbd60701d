import { EVENTS_PATH } from '@sendlap/contract/events.ts';
import { Failure, isErrorCode } from '@sendlap/contract/wire/errors.ts';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Database } from '#api/database/database.ts';
import { operationOf, operationsOf } from '../contract-endpoints.ts';
import { BESIDE_REQUESTS, type ChangeLog, openChangeLog } from '../database/change-log.ts';
import type { MatrixWorld } from '../matrix/matrix-world.ts';
import { areLiveEvents } from '../matrix/read-stream.ts';
import { findUncalled } from './never-accepted.ts';
import { isOfProvider } from './page-rows.ts';
import type { FuzzedRequest, Target } from './requests.ts';
import { restoreCaller } from './restore-caller.ts';
import { type FuzzedReply, sendRequest } from './send-request.ts';
import { type ChosenRequest, chooseRequest, listSources } from './sources.ts';

export interface FuzzReport {
  sent: number;
  accepted: number;
  /** Requests whose address leads to the operation that they were made for, and the accepted ones of these. */
  operations: Record<string, { sent: number; accepted: number }>;
  /** Operations of the OpenAPI document that no request was made for. */
  gaps: string[];
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

/** Sends requests made of the contract's schemas and broken in many ways; the seed repeats them. */
export async function playRequests(world: MatrixWorld, { seed, requests, only }: FuzzOptions): Promise<FuzzReport> {
  const changes = await openChangeLog(world.api.database, [...BESIDE_REQUESTS, ...OF_JOBS]);
  await ignoreEndsOfLoads(world.api.database);
  const sources = await listSources(world, only);
  const report: FuzzReport = { sent: 0, accepted: 0, operations: {}, gaps: [], answers: {}, problems: [] };
  for (let nth = 0; nth < requests; nth += 1) {
    const source = sources[nth % sources.length];
    if (!source) throw new Error('there is no such operation');
    const round = Math.floor(nth / sources.length);
    const chosen = await chooseRequest(world, source, { round, seed: seed * 1_000_000 + nth });
    await play({ world, changes, report, target: source.target, ...chosen, nth });
  }
  if (!only) report.gaps = findUncalled(operationsOf(world.api.app.swagger()), report.operations);
  return report;
}

/** A load that a request began ends later, with a line in the audit trail, beside any other request. */
async function ignoreEndsOfLoads(database: Database): Promise<void> {
  await sql`
    drop trigger change_log_rows on audit_entries;
    create trigger change_log_rows after insert on audit_entries for each row
      when (new.act !~ '_load_(done|failed)$') execute function change_log.note()`.execute(database);
}

interface Played extends ChosenRequest {
  world: MatrixWorld;
  changes: ChangeLog;
  report: FuzzReport;
  target: Target;
  nth: number;
}

async function play({ world, changes, report, target, request, caller, nth }: Played): Promise<void> {
  await changes.take();
  const headers = { ...world.circle.headers[caller], ...request.headers };
  const remote_address = `10.${(nth >> 16) & 255}.${(nth >> 8) & 255}.${nth & 255}`;
  const reply = await sendRequest({ api: world.api, target, request, headers, remote_address });
  const { status, body } = reply;
  const code = status < 300 ? '' : readCode(body);
  const answer = `${status} ${code}`.trim();
  // A page also answers by an address to go on at.
  const is_accepted = status < (isOfProvider(target) ? 400 : 300);
  count(report, { target, request, answer, is_accepted });
  const changed = is_accepted ? [] : await changes.take();
  const harm = isMalformed(status, body) ? changed : changed.filter((table) => !TRACES.includes(table));
  const problems = [
    ...(status >= 500 || status === 403 ? [`answered ${status}`] : []),
    ...(harm.length > 0 ? [`refused with ${answer}, but changed ${harm.join(', ')}`] : []),
    ...(hasRightShape(target, request, reply) ? [] : [`a reply of another shape: ${body.slice(0, 300)}`]),
    ...(status >= 300 && INNER.test(body) ? [`shows the inside: ${body.slice(0, 300)}`] : []),
  ];
  for (const problem of problems)
    report.problems.push(`${nth}: ${operationOf(target)}, ${caller}: ${problem}; ${describe(request)}`);
  await restoreCaller(world, { target, request, caller, code });
}

interface Counted {
  target: Target;
  request: FuzzedRequest;
  answer: string;
  is_accepted: boolean;
}

function count(report: FuzzReport, { target, request, answer, is_accepted }: Counted): void {
  report.sent += 1;
  report.answers[answer] = (report.answers[answer] ?? 0) + 1;
  if (is_accepted) report.accepted += 1;
  if (!isAddressOf(target, request)) return;
  const { sent, accepted } = report.operations[operationOf(target)] ?? { sent: 0, accepted: 0 };
  report.operations[operationOf(target)] = { sent: sent + 1, accepted: accepted + (is_accepted ? 1 : 0) };
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
function isAddressOf({ path }: Target, { url }: FuzzedRequest): boolean {
  const asked = url.split('?')[0]?.split('/') ?? [];
  return path.split('/').every((part, nth) => {
    const given = asked[nth] ?? '';
    return part.startsWith(':') ? !DOTS.test(given) : part === given;
  });
}

function hasRightShape(target: Target, request: FuzzedRequest, { status, body }: FuzzedReply): boolean {
  if (status === 304 || isOfProvider(target)) return true;
  if (status < 300 && !isAddressOf(target, request)) return true;
  if (status < 300 && target.path === EVENTS_PATH) return areLiveEvents(body);
  // The others are files.
  if (status < 300 && !target.data) return true;
  try {
    const reply: unknown = JSON.parse(body);
    if (status < 300) return z.object({ success: z.literal(true), data: target.data }).safeParse(reply).success;
    const failure = Failure.safeParse(reply);
    return failure.success && isErrorCode(failure.data.code);
  } catch {
    return false;
  }
}

const describe = ({ url, headers, body }: FuzzedRequest): string =>
  JSON.stringify({ url, headers, body: body?.toString('latin1').slice(0, 500) });
