import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '@sendlap/contract/wire/errors.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { refusals } from '../platform/measurements.ts';

const REQUEST_ID_LENGTH = 12;
const ERROR_STATUS = 400;
export const REQUEST_ID_HEADER = 'x-request-id';
/** The name of the id in a log line. */
export const REQUEST_ID_FIELD = 'request_id';

/**
 * Returns the id that a user can quote to the operator, who finds it in the log. Unlike a counter, it identifies one
 * request across nodes and restarts. The end of a random UUID is entirely random.
 */
export function createRequestId(): string {
  return randomUUID().slice(-REQUEST_ID_LENGTH);
}

/** Writes one line for each request, with its route and its user's internal id, and puts its id on every error reply. */
export function logRequests(app: FastifyInstance): void {
  app.decorateRequest('is_logged', false);
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (reply.statusCode >= ERROR_STATUS) reply.header(REQUEST_ID_HEADER, request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (!request.is_logged) logRequest(reply, { level: 'info', message: 'request completed' });
    done();
  });
}

interface RequestLine {
  level: 'info' | 'warn' | 'error';
  message: string;
  status?: number;
  code?: ErrorCode;
  err?: unknown;
  /** Facts that help the operator. */
  fields?: object;
}

/** Writes the request's line now; `onResponse` then writes no second one. */
export function logRequest(reply: FastifyReply, { level, message, fields, ...facts }: RequestLine): void {
  const { request } = reply;
  request.is_logged = true;
  const { code } = facts;
  if (code && refusals.is_observed) refusals.report({ of: 'request', code });
  request.log[level](
    {
      req: request,
      route: request.routeOptions.url,
      status: reply.statusCode,
      user_id: request.session?.user_id,
      ...facts,
      ...fields,
      duration_ms: Math.round(reply.elapsedTime),
    },
    message,
  );
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The request's line is in the log. */
    is_logged: boolean;
  }
}
