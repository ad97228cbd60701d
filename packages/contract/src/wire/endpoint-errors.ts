import { type Endpoint, needsSession } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';

/** Codes of any call: its request does not arrive well, or the server cannot answer. */
export const GENERAL_ERRORS = [
  'bad_request',
  'request_timeout',
  'payload_too_large',
  'unsupported_media_type',
  'expectation_failed',
  'headers_too_large',
  'internal_error',
  'unavailable',
] as const satisfies ErrorCode[];

/** Returns the codes with which a call may be refused, besides `GENERAL_ERRORS`. */
export function listErrors(
  endpoint: Pick<Endpoint, 'access' | 'errors' | 'takes_dpop_proof' | 'limit' | 'while_locked'>,
) {
  const { access, errors = [], takes_dpop_proof, limit, while_locked } = endpoint;
  const codes: ErrorCode[] = ['validation_failed'];
  if (needsSession(endpoint)) codes.push('unauthenticated');
  if (needsSession(endpoint) && !while_locked) codes.push('account_locked');
  if (access === 'operator') codes.push('not_an_operator');
  if (access === 'manager') codes.push('not_a_manager');
  if (access === 'kiosk') codes.push('kiosk_unknown');
  if (access === 'cookie') codes.push('origin_not_allowed');
  if (takes_dpop_proof) codes.push('proof_expired');
  // Also of one user at once.
  if (limit || needsSession(endpoint)) codes.push('too_many_requests');
  return [...new Set<ErrorCode>([...codes, ...errors])];
}
