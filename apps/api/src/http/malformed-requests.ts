import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../platform/errors.ts';
import { refusals } from '../platform/measurements.ts';
import { toFailure } from './error-replies.ts';
import { attachToEachServer } from './listening/each-server.ts';
import { createRequestId, REQUEST_ID_FIELD, REQUEST_ID_HEADER } from './request-log.ts';

/** A private property of Node's sockets: the response that is being written. */
type HttpSocket = Socket & { _httpMessage?: Pick<ServerResponse, 'headersSent'> | null };

/**
 * Answers requests that Node's own parser refuses before any route (broken syntax, oversized headers, a request that
 * takes too long, an unknown `Expect`) with our envelope and headers.
 */
export function replyToMalformedRequests(app: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  const onClientError = (error: NodeJS.ErrnoException, socket: HttpSocket) => {
    const is_answerable = socket.writable && error.code !== 'ECONNRESET' && !socket._httpMessage?.headersSent;
    if (is_answerable) {
      const refusal = toParserError(error.code);
      const request_id = createRequestId();
      app.log.info({ [REQUEST_ID_FIELD]: request_id, code: refusal.code, cause: error.code }, 'request refused');
      refusals.report({ of: 'request', code: refusal.code });
      socket.write(formatHttpReply(refusal, { ...headers, [REQUEST_ID_HEADER]: request_id }));
    }
    socket.destroy();
  };
  const onExpectation = (_request: IncomingMessage, response: ServerResponse) => {
    const refusal = new AppError('expectation_failed', 'This server expects nothing but 100-continue');
    const request_id = createRequestId();
    app.log.info({ [REQUEST_ID_FIELD]: request_id, code: refusal.code }, 'request refused');
    refusals.report({ of: 'request', code: refusal.code });
    const { body, fields } = buildReply(refusal, { ...headers, [REQUEST_ID_HEADER]: request_id });
    response.writeHead(refusal.status, fields).end(body);
  };
  attachToEachServer(app, (server) => {
    server.removeAllListeners('clientError').on('clientError', onClientError);
    server.on('checkExpectation', onExpectation);
  });
}

function toParserError(code: string | undefined): AppError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new AppError('request_timeout', 'The request took too long to arrive');
  }
  if (code === 'HPE_HEADER_OVERFLOW') return new AppError('headers_too_large', 'The headers are too large');
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return new AppError('payload_too_large', 'The body is too large');
  return new AppError('bad_request', 'This is not a valid HTTP request');
}

function buildReply(refusal: AppError, headers: Readonly<Record<string, string>>) {
  const body = JSON.stringify(toFailure(refusal));
  const fields = {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-server-time': String(Date.now()),
    connection: 'close',
  };
  return { body, fields };
}

function formatHttpReply(refusal: AppError, headers: Readonly<Record<string, string>>): string {
  const { body, fields } = buildReply(refusal, headers);
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${body}`;
}
