import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'kysely';
import type pg from 'pg';
import { statements } from '../platform/measurements.ts';

/**
 * Prefix of statements that every connection prepares once: planning the big ones costs more than running them. Only
 * for constant texts that name their columns, because a prepared statement must survive a migration.
 */
export const PREPARED_PREFIX = '/* prepared */ ';
export const PREPARED = sql.raw(PREPARED_PREFIX);

/**
 * Like PREPARED, for a statement of a transaction whose result is unused: it is sent together with the next one, which
 * saves a round trip. If it fails, the next one throws its error.
 */
export const PREPARED_DEFERRED = sql.raw('/* prepared, ahead */ ');

const PREPARED_PATTERN = /^\/\* prepared(, ahead)? \*\//;
const BEGIN_PATTERN = /^(begin|start transaction)\b/;
const END_PATTERN = /^(commit|rollback)$/;
/** PostgreSQL considers a custom plan cheaper than the generic one, and would plan again each time. */
const FORCE_GENERIC_PLAN = '; set local plan_cache_mode = force_generic_plan';

interface Statement {
  text: string;
  name?: string;
  values?: unknown;
}

const statement_names = new Map<string, string>();

function statementName(text: string): string {
  const name = statement_names.get(text) ?? `p${statement_names.size}`;
  statement_names.set(text, name);
  return name;
}

/**
 * Makes a connection prepare the marked statements, and hold BEGIN and "ahead" statements back to send them together
 * with the next one. The connection must have been opened with `pipeline: true`.
 */
export function pipelineStatements(client: pg.PoolClient): void {
  const { query } = client;
  const send = async (statement: Statement): Promise<unknown> => {
    try {
      return await new Promise((resolve, reject) => {
        const callback = (error: unknown, result: QueryOutcome) =>
          error ? reject(error) : resolve(detachRows(result));
        Reflect.apply(query, client, [statement, statements.is_observed ? measured(statement, callback) : callback]);
      });
    } catch (error) {
      // As `pg` does: the stack of the caller, not of the socket's reader.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  };
  const { stream } = client.connection;
  /** In one write: each write wakes the database up. */
  const sendAsOneWrite = (statements: Statement[]) => {
    stream.cork();
    try {
      return statements.map(send);
    } finally {
      stream.uncork();
    }
  };
  let deferred: Statement[] = [];
  let is_in_transaction = false;

  const runQuery = (first: unknown, ...rest: unknown[]): unknown => {
    if (typeof first !== 'string' || typeof rest[1] === 'function')
      return Reflect.apply(query, client, [first, ...rest]);
    const prefix_match = PREPARED_PATTERN.exec(first);
    const statement: Statement = {
      text: first,
      values: rest[0],
      ...(prefix_match ? { name: statementName(first) } : {}),
    };
    const is_begin = BEGIN_PATTERN.test(first);
    if (is_begin || (is_in_transaction && prefix_match?.[1])) {
      is_in_transaction = true;
      deferred.push(statement);
      return Promise.resolve({ command: is_begin ? 'BEGIN' : '', rowCount: 0, rows: [] });
    }
    if (END_PATTERN.test(first)) is_in_transaction = false;
    // A rollback drops the held statements: they were never sent.
    const to_flush = first === 'rollback' ? deferred.filter(({ text }) => BEGIN_PATTERN.test(text)) : deferred;
    deferred = [];
    return to_flush.length === 0
      ? send(statement)
      : awaitLastOrFirstError(sendAsOneWrite(withGenericPlan([...to_flush, statement])));
  };
  Object.assign(client, { query: runQuery });
}

type QueryCallback = (error: unknown, result: QueryOutcome) => void;

/** Returns the callback that also reports how long the statement took, as a part of the request that sent it. */
function measured({ text }: Statement, callback: QueryCallback): QueryCallback {
  const sent_at = performance.now();
  const runAsSender = AsyncLocalStorage.snapshot();
  return (error, result) => {
    const duration_ms = performance.now() - sent_at;
    runAsSender(() => statements.report({ text, duration_ms, error: error ?? undefined }));
    callback(error, result);
  };
}

/** An array for a text with several statements. */
type QueryOutcome = Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'> | pg.QueryResult[];

/**
 * Returns the result without `pg`'s own record of it. That record outlives the call, and with the rows in it every
 * minor garbage collection copied them, twice: milliseconds in which no request is answered.
 */
function detachRows(result: QueryOutcome): QueryOutcome {
  if (Array.isArray(result)) return result;
  const { command, rowCount, rows } = result;
  result.rows = [];
  return { command, rowCount, rows };
}

/** Statements prepared in a transaction are planned once per connection; one plan must suit all values. */
function withGenericPlan(statements: Statement[]): Statement[] {
  const [first, ...others] = statements;
  if (!first || !BEGIN_PATTERN.test(first.text) || !others.some(({ name }) => name)) return statements;
  return [{ text: first.text + FORCE_GENERIC_PLAN }, ...others];
}

/** Waits for all statements. Returns the last one's result, or throws the error of the first that failed. */
async function awaitLastOrFirstError(sent: Promise<unknown>[]): Promise<unknown> {
  const results = await Promise.allSettled(sent);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return sent.at(-1);
}
