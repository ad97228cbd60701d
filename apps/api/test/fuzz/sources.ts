import { deleteMe, restoreMe } from '@sendlap/contract/users.ts';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { loadEndpoints, operationOf } from '../contract-endpoints.ts';
import { type CallerName, must, signIn, signInAs } from '../matrix/callers.ts';
import type { MatrixWorld } from '../matrix/matrix-world.ts';
import { callersOf, ROWS } from '../matrix/play.ts';
import { forAll } from '../matrix/rows.ts';
import { type Answer, answerFor, type Call, type Row } from '../matrix/rules.ts';
import { fillPool, poolFor } from './fill-pool.ts';
import { PAGE_ROWS } from './page-rows.ts';
import { brokenRequest, type FuzzedRequest, fuzzedRequest, type Target } from './requests.ts';
import { USERS } from './restore-caller.ts';

/** Where the requests to one operation come from. */
export interface Source {
  target: Target;
  /** What the schemas accept, broken in many ways. */
  made: fc.Arbitrary<FuzzedRequest>;
  /** Requests of the matrix that succeed, each with its callers. */
  rows: { row: Row; callers: CallerName[] }[];
}

export interface ChosenRequest {
  caller: CallerName;
  request: FuzzedRequest;
}

/** Every so many requests to an operation, one that the matrix prepares is broken. */
const PREPARED_EVERY = 4;
/** Of operations that a cookie opens. */
const COOKIES_EVERY = 2;

/** The operations of the contract, the files and the stream beside it, and the pages of the own provider. */
export async function listSources(world: MatrixWorld, only?: readonly string[]): Promise<Source[]> {
  const pool = await fillPool(world);
  const rows = [...ROWS, ...PAGE_ROWS, forAll(restoreMe, leaving)];
  const beside = rows.map(({ endpoint }) => endpoint).filter(({ data }) => data === undefined);
  const targets = new Map<string, Target>(
    [...(await loadEndpoints()).values(), ...beside.map(withParams)].map((target) => [operationOf(target), target]),
  );
  return [...targets]
    .filter(([operation]) => !only || only.includes(operation))
    .map(([operation, target]) => ({
      target,
      made: fuzzedRequest(target, poolFor(target, pool)),
      rows: rows
        .filter(({ endpoint }) => operationOf(endpoint) === operation)
        .map((row) => ({ row, callers: callersOf(row).filter((caller) => isSuccess(answerFor(row, caller))) }))
        .filter(({ callers }) => callers.length > 0),
    }));
}

/** An account that its owner has deleted: the matrix has one, which is free after its success. */
async function leaving({ api }: MatrixWorld): Promise<Call> {
  const who = await signIn(api, 'Leaving');
  await must(api, who, 'DELETE', deleteMe.path);
  return { headers: (await signInAs(api, who, true)).headers };
}

const isSuccess = (answer: Answer) => answer === 'ok' || answer === 'nothing';

/** A file's address has no schema. */
function withParams(target: Target): Target {
  const names = [...target.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  if (target.params || names.length === 0) return target;
  return { ...target, params: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))) };
}

/** Chooses the request of this round to an operation, and its caller; the seed repeats them. */
export async function chooseRequest(
  world: MatrixWorld,
  source: Source,
  { round, seed }: { round: number; seed: number },
): Promise<ChosenRequest> {
  const { target, made } = source;
  const every = target.access === 'cookie' ? COOKIES_EVERY : PREPARED_EVERY;
  const prepared = round % every === 1 ? await prepare(world, source, Math.floor(round / every)) : undefined;
  const [request] = fc.sample(prepared?.made ?? made, { seed, numRuns: 1 });
  if (!request) throw new Error('no request was made');
  return { request, caller: prepared?.caller ?? callerOf(target, round) };
}

/** Undefined if what earlier requests did leaves nothing to prepare it from. */
async function prepare(world: MatrixWorld, { target, rows }: Source, nth: number) {
  const { row, callers } = rows[nth % rows.length] ?? {};
  const caller = callers?.[Math.floor(nth / rows.length) % callers.length];
  if (!row || !caller) return undefined;
  try {
    // Of an athlete one activity can run at a time.
    if (target.path.includes('activities')) await world.endRunning(world.owner);
    const who = world.circle.accounts.get(caller) ?? world.spare;
    const call = (await row.make?.(world, who)) ?? {};
    return { caller, made: brokenRequest(target, typeof call === 'function' ? call() : call) };
  } catch {
    return undefined;
  }
}

/** Mostly a caller whom the endpoint admits; of users every third time Ada, who has most things. */
function callerOf({ access }: Target, round: number): CallerName {
  if (round % 17 === 16) return 'without a token';
  if (access === 'kiosk') return 'kiosk';
  if (access === 'operator') return 'operator';
  if (access === 'manager') return round % 2 === 0 ? 'manager' : 'operator';
  return round % 3 === 0 ? 'owner' : (USERS[(round - Math.floor(round / 3)) % USERS.length] ?? 'owner');
}
