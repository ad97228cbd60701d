import { sql } from 'kysely';
import type pg from 'pg';

/**
 * What a statement begins with that every connection is to prepare once: planning the big ones costs more than running
 * them. Only for texts that never change, and that name their columns, for a prepared one must survive a migration.
 */
export const PREPARED_MARK = '/* prepared */ ';
export const PREPARED = sql.raw(PREPARED_MARK);

/**
 * The same for a statement of a transaction whose result nobody reads: it is sent together with the next one, which
 * saves a way to the database and back. When it fails, that next one throws its error.
 */
export const PREPARED_AHEAD = sql.raw('/* prepared, ahead */ ');

const PREPARED_TEXT = /^\/\* prepared(, ahead)? \*\//;
const BEGIN_TEXT = /^(begin|start transaction)\b/;
const END_TEXT = /^(commit|rollback)$/;
/** PostgreSQL takes the guess for one set of values for better than a plan for all, and would plan anew each time. */
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
 * Makes a connection prepare the statements marked so, and hold BEGIN and what is marked "ahead" back until the next
 * statement, with which they are sent in one go. The connection must have been opened with `pipeline: true`.
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
      // As the driver does: the stack of who asked, not of the socket that was read.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  };
  const { stream } = client.connection;
  /** In one write: each of them wakes the database up. */
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
    // What was not sent yet need not be undone.
    const ahead = first === 'rollback' ? held.filter(({ text }) => BEGIN_TEXT.test(text)) : held;
    held = [];
    return ahead.length === 0 ? send(statement) : firstFailureOrLast(sendTogether(keepingPlans([...ahead, statement])));
  };
  Object.assign(client, { query: run });
}

/** An array for a text of several statements. */
type Result = Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'> | pg.QueryResult[];

/**
 * The result without the driver's record of the statement. That one outlives the call, and with the rows in it every
 * collection of young garbage copied them, twice: milliseconds in which nobody is answered.
 */
function takeRows(result: Result): Result {
  if (Array.isArray(result)) return result;
  const { command, rowCount, rows } = result;
  result.rows = [];
  return { command, rowCount, rows };
}

/** What is prepared in a transaction is planned once a connection; it must be fine with one plan for all values. */
function keepingPlans(statements: Statement[]): Statement[] {
  const [first, ...others] = statements;
  if (!first || !BEGIN_TEXT.test(first.text) || !others.some(({ name }) => name)) return statements;
  return [{ text: first.text + KEEP_PLANS }, ...others];
}

/** The result of the last one, once all have ended; throws what the first failed one threw. */
async function firstFailureOrLast(sent: Promise<unknown>[]): Promise<unknown> {
  const results = await Promise.allSettled(sent);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return sent.at(-1);
}
