import { operationOf, operationsOf } from '../contract-endpoints.ts';
import { CALLER_NAMES } from './callers.ts';
import { callersOf, ROWS } from './play.ts';
import { NOTHING } from './rows.ts';
import { answerFor, type Row } from './rules.ts';

/** Changes that the matrix never sees succeed, and why. */
const NEVER_SUCCEEDING: Record<string, string> = {
  'POST /v1/auth/oauth/callback/cognito': 'needs an identity provider: `npm run faults -- oauth`',
  'POST /v1/manage/reviews/keep': 'needs a scanner who confirms suspiciously often: reviews.test.ts',
  'POST /v1/area-loads': 'would read from another server: area-loads.test.ts',
  'DELETE /v1/area-loads/:id': 'needs a load that reads from another server: area-loads.test.ts',
  'POST /v1/street-loads': 'would read from another server: street-loads.test.ts',
  'DELETE /v1/street-loads/:id': 'needs a load that reads from another server: street-loads.test.ts',
  'POST /v1/sport-centers/:id/claim/mail': 'needs a mail server: claims.test.ts',
  'POST /v1/sport-centers/:id/claim/mail/code': 'needs the code of a mail: claims.test.ts',
  'POST /v1/sport-centers/:id/claim/line': 'needs a center with a web site: claims.test.ts',
  'POST /v1/sport-centers/:id/claim/line/check': 'needs a center with a web site: claims.test.ts',
};

/** Ids in addresses that are of no user: each caller may name them, or its right decides. */
const OF_NO_USER = /^\/v1\/(sport-centers|sports|manage|claims|tiles|area-loads|street-loads)\//;

/** What the rows do not call: operations, kinds of callers, kinds of things, and successes. */
export function findGaps(document: { paths?: object }, rows = ROWS): string[] {
  return [
    ...findWithoutRow(document, rows).map((operation) => `no row for ${operation}`),
    ...findWithoutSuccess(rows).map((name) => `no cell, or an exception too many, for the success of ${name}`),
    ...findWithoutCaller(rows),
    ...findWithoutThing(rows),
  ];
}

/** Returns the operations of an OpenAPI document that no row calls. */
function findWithoutRow(document: { paths?: object }, rows: readonly Row[]): string[] {
  const known = new Set(rows.map(({ endpoint }) => operationOf(endpoint)));
  return operationsOf(document).filter((operation) => !known.has(operation));
}

/**
 * Returns the changes that no cell expects to succeed: of these the refusals alone prove little. An exception that has
 * such a cell is returned too.
 */
export function findWithoutSuccess(rows: readonly Row[] = ROWS): string[] {
  const changes = rows.filter(({ endpoint }) => endpoint.method !== 'GET');
  const operations = new Set(changes.map(({ endpoint }) => operationOf(endpoint)));
  const succeeding = new Set(
    changes
      .filter((row) => callersOf(row).some((caller) => answerFor(row, caller) === 'ok'))
      .map(({ endpoint }) => operationOf(endpoint)),
  );
  const named = new Set([...operations, ...Object.keys(NEVER_SUCCEEDING)]);
  return [...named].filter(
    (operation) => succeeding.has(operation) === operation in NEVER_SUCCEEDING || !operations.has(operation),
  );
}

/** Returns the kinds of callers that never call an operation. */
export function findWithoutCaller(rows: readonly Row[] = ROWS): string[] {
  return [...byOperation(rows)].flatMap(([operation, own]) => {
    const callers = new Set(own.flatMap(callersOf));
    return CALLER_NAMES.filter((name) => !callers.has(name)).map((name) => `${operation} is never called by: ${name}`);
  });
}

/** Returns the operations with an id in their address that are not called with one of another user, and with one of nothing. */
export function findWithoutThing(rows: readonly Row[] = ROWS): string[] {
  const named = [...byOperation(rows)].filter(([operation]) => operation.includes('/:'));
  return named.flatMap(([operation, own]) => {
    const [{ path = '' } = {}] = own.map(({ endpoint }) => endpoint);
    const is_of_none = own.some(({ on }) => on.startsWith(NOTHING));
    const is_of_another =
      OF_NO_USER.test(path) || own.some(({ may, on }) => may !== 'everyone' && !on.startsWith(NOTHING));
    return [
      ...(is_of_none ? [] : [`${operation} is never called on ${NOTHING}`]),
      ...(is_of_another ? [] : [`${operation} is never called on a thing of another user`]),
    ];
  });
}

function byOperation(rows: readonly Row[]): Map<string, Row[]> {
  return Map.groupBy(rows, ({ endpoint }) => operationOf(endpoint));
}
