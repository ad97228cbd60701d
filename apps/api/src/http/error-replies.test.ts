import { expect, test } from 'vitest';
import { AppError } from '../platform/errors.ts';
import { createLogger } from '../platform/logger.ts';
import { createServer } from './server.ts';

/**
 * Errors that `pg` throws while its server restarts: some have a code of PostgreSQL or the system, some only a message.
 */
const OUTAGES = [
  Object.assign(new Error('the database system is shutting down'), { code: '57P03' }),
  Object.assign(new Error('terminating connection'), { code: '57P01' }),
  Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
  new Error('Connection terminated unexpectedly'),
  new Error('Client has encountered a connection error and is not queryable'),
  new Error('Client was closed and is not queryable'),
  new Error('timeout exceeded when trying to connect'),
];

async function replyTo(error: Error, logger: ReturnType<typeof createLogger> | false = false) {
  const app = await createServer({ logger, trust_proxy: undefined, public_url: 'http://localhost' });
  app.get('/', { schema: { hide: true } }, async () => {
    throw error;
  });
  const reply = await app.inject({ url: '/' });
  await app.close();
  return reply;
}

test.each(OUTAGES.map((error) => [error.message, error]))(
  'a database that is briefly unreachable is "unavailable", not an internal error: %s',
  async (_message, error) => {
    const reply = await replyTo(error as Error);
    expect([reply.statusCode, reply.json().code, reply.headers['retry-after']]).toEqual([503, 'unavailable', '2']);
    expect(reply.body).not.toContain((error as Error).message);
  },
);

test('any other failure is an internal error, and the reply has no details of it', async () => {
  const reply = await replyTo(new Error('a word of the inside'));
  expect([reply.statusCode, reply.json().code]).toEqual([500, 'internal_error']);
  expect(reply.body).not.toContain('inside');
});

test.each([
  ['a refusal', new AppError('not_an_operator', 'No'), 30, { msg: 'request refused', code: 'not_an_operator' }],
  ['a mistake of ours', new Error('inside'), 50, { msg: 'request failed', err: { message: 'inside' } }],
])('%s is in the log, with the id of the request that its sender can quote', async (_what, error, level, facts) => {
  const lines: string[] = [];
  const reply = await replyTo(error, createLogger('info', false, { write: (line: string) => void lines.push(line) }));
  const logged = lines.map((line) => JSON.parse(line)).filter((line) => line.msg === facts.msg);
  expect(logged).toMatchObject([{ level, request_id: reply.headers['x-request-id'], ...facts }]);
});
