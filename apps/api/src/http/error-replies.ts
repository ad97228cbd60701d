import type { Failure } from '@sendlap/contract/wire/errors.ts';
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { isDatabaseUnavailable } from '../database/database.ts';
import { AppError } from '../platform/errors.ts';
import { logRequest } from './request-log.ts';

const RETRY_AFTER_S = 2;

/** Converts every thrown error to a failure envelope, in one place; a 5xx never contains an internal message. */
export function installErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, _request, reply) => sendFailure(reply, toAppError(error), error));
}

/** Returns the failure envelope of an error. */
export function toFailure({ message, code, details }: AppError): Failure {
  return { success: false, message, code, ...(details ? { details } : {}), error: message };
}

/** Sends a refusal and writes its line. `cause`: the error behind it, for the line of a failed request. */
export function sendFailure(reply: FastifyReply, error: AppError, cause: unknown = error): FastifyReply {
  const { code, status, log_fields } = error;
  if (log_fields) logRequest(reply, { level: 'warn', message: 'request refused', status, code, fields: log_fields });
  else if (status >= 500) logRequest(reply, { level: 'error', message: 'request failed', status, code, err: cause });
  else logRequest(reply, { level: 'info', message: 'request refused', status, code });
  if (error.retry_after_s !== undefined) reply.header('retry-after', error.retry_after_s);
  return reply
    .code(error.status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(toFailure(error));
}

function toAppError(error: FastifyError): AppError {
  if (error instanceof AppError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) {
    const details = error.validation.map((issue) => ({
      path: `${error.validationContext ?? 'body'}${issue.instancePath}`,
      message: issue.message ?? 'is not valid',
    }));
    const first = details[0];
    return new AppError('validation_failed', `${first?.path}: ${first?.message}`, { details });
  }
  if (isDatabaseUnavailable(error)) {
    return new AppError('unavailable', 'The service is not available just now', {
      cause: error,
      retry_after_s: RETRY_AFTER_S,
    });
  }
  return errorByStatus(error);
}

/** Some libraries answer 403 for a path outside their folder; here 403 always means "sign in again". */
function normalizedStatus({ statusCode = 500 }: FastifyError): number {
  if (statusCode === 403) return 404;
  return statusCode === 406 ? 400 : statusCode;
}

function errorByStatus(error: FastifyError): AppError {
  const by_status: Record<number, AppError> = {
    400: new AppError('bad_request', 'The request is not valid', { cause: error }),
    404: new AppError('not_found', 'There is nothing at this address', { cause: error }),
    405: new AppError('method_not_allowed', 'This address does not take this method', { cause: error }),
    408: new AppError('request_timeout', 'The request took too long to arrive', { cause: error }),
    413: new AppError('payload_too_large', 'The body is too large', { cause: error }),
    414: new AppError('bad_request', 'The address is too long', { cause: error }),
    415: new AppError('unsupported_media_type', 'The body must be application/json', { cause: error }),
    429: new AppError('too_many_requests', 'Too many requests, please wait a little', { cause: error }),
    503: new AppError('unavailable', 'The service is busy', { cause: error, retry_after_s: RETRY_AFTER_S }),
  };
  return (
    by_status[normalizedStatus(error)] ?? new AppError('internal_error', 'Something went wrong here', { cause: error })
  );
}
