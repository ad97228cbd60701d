import { sql } from 'kysely';
import type pg from 'pg';

/**
 * Prefix of statements that every connection prepares once: planning the big ones costs more than running them. Only
 * for constant texts that name their columns, because a prepared statement must survive a migration.
 */
export const PREPARED_MARK = '/* prepared */ ';
export const PREPARED = sql.raw(PREPARED_MARK);

/**
 * Like PREPARED, for a statement of a transaction whose result is unused: it is sent together with the next one, which
 * saves a round trip. If it fails, the next one throws its error.
 */
export const PREPARED_AHEAD = sql.raw('/* prepared, ahead */ ');

const PREPARED_TEXT = /^\/\* prepared(, ahead)? \*\//;
const BEGIN_TEXT = /^(begin|start transaction)\b/;
const END_TEXT = /^(commit|rollback)$/;
/** PostgreSQL considers a custom plan cheaper than the generic one, and would plan again each time. */
const KEEP_PLANS = '; set local plan_cache_mode = force_generic_plan';

interface Statement {
  text: string;
  name?: string;
  values?: unknown;
}

const names = new Map<string, string>();

function nameOf(text: string): string {
  const name = names.get(text) ?? `p${names.size}`;
  names.set(text, name);
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
        const answer = (error: unknown, result: Result) => (error ? reject(error) : resolve(takeRows(result)));
        Reflect.apply(query, client, [statement, answer]);
      });
    } catch (error) {
      // As `pg` does: the stack of the caller, not of the socket's reader.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  };
  const { stream } = client.connection;
  /** In one write: each write wakes the database up. */
  const sendTogether = (statements: Statement[]) => {
    stream.cork();
    try {
      return statements.map(send);
    } finally {
      stream.uncork();
    }
  };
  let held: Statement[] = [];
  let is_in_transaction = false;

  const run = (first: unknown, ...rest: unknown[]): unknown => {
    if (typeof first !== 'string' || typeof rest[1] === 'function')
      return Reflect.apply(query, client, [first, ...rest]);
    const marks = PREPARED_TEXT.exec(first);
    const statement: Statement = { text: first, values: rest[0], ...(marks ? { name: nameOf(first) } : {}) };
    const begins = BEGIN_TEXT.test(first);
    if (begins || (is_in_transaction && marks?.[1])) {
      is_in_transaction = true;
      held.push(statement);
      return Promise.resolve({ command: begins ? 'BEGIN' : '', rowCount: 0, rows: [] });
    }
    if (END_TEXT.test(first)) is_in_transaction = false;
    // A rollback drops the held statements: they were never sent.
    const ahead = first === 'rollback' ? held.filter(({ text }) => BEGIN_TEXT.test(text)) : held;
    held = [];
    return ahead.length === 0 ? send(statement) : firstFailureOrLast(sendTogether(keepingPlans([...ahead, statement])));
  };
  Object.assign(client, { query: run });
}

/** An array for a text with several statements. */
type Result = Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'> | pg.QueryResult[];

/**
 * Returns the result without `pg`'s own record of it. That record outlives the call, and with the rows in it every
 * minor garbage collection copied them, twice: milliseconds in which no request is answered.
 */
function takeRows(result: Result): Result {
  if (Array.isArray(result)) return result;
  const { command, rowCount, rows } = result;
  result.rows = [];
  return { command, rowCount, rows };
}

/** Statements prepared in a transaction are planned once per connection; one plan must suit all values. */
function keepingPlans(statements: Statement[]): Statement[] {
  const [first, ...others] = statements;
  if (!first || !BEGIN_TEXT.test(first.text) || !others.some(({ name }) => name)) return statements;
  return [{ text: first.text + KEEP_PLANS }, ...others];
}

/** Waits for all statements. Returns the last one's result, or throws the error of the first that failed. */
async function firstFailureOrLast(sent: Promise<unknown>[]): Promise<unknown> {
  const results = await Promise.allSettled(sent);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return sent.at(-1);
}
