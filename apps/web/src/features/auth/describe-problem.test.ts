import { ERROR_STATUS } from '@sendlap/contract/wire/errors.ts';
import { expect, test } from 'vitest';
import { ApiError, REQUEST_ERRORS } from '#web/shared/api/errors.ts';
import en from '#web/shared/i18n/en/auth.json';
import { callbackFailureReason, describeProblem } from './describe-problem.ts';

const isErrorCode = (code: string) => Object.hasOwn(ERROR_STATUS, code) || Object.hasOwn(REQUEST_ERRORS, code);
const describe = (problem: unknown) => describeProblem(problem, 'failed', isErrorCode);

test.each(['<b>Call 555-0100 to unlock your account</b>', 'constructor', '__proto__', 'toString', ''])(
  '%j in an address is not shown as our words',
  (text) => {
    expect(describe(text)).toEqual({ key: 'failed' });
  },
);

test.each([
  'No authorization code received',
  'No authorization URL received from backend',
  'No access token received from OAuth callback',
  'No access token received from login',
  'No user data received from login',
  'Logout failed, but you have been logged out locally',
  'Failed to complete authentication',
  'OAuth callback failed',
  'Login failed',
  'Registration failed',
  'Authentication failed',
  'Authentication context not available',
])('%j has exactly this English text', (text) => {
  const words = describe(text);
  expect('key' in words && words.key !== 'tooMany' && en[words.key]).toBe(text);
});

test.each([
  [REQUEST_ERRORS.AUTH_REQUIRED, { error_code: 'AUTH_REQUIRED' }],
  [REQUEST_ERRORS.REAUTH_REQUIRED, { error_code: 'REAUTH_REQUIRED' }],
  ['NETWORK_ERROR', { error_code: 'NETWORK_ERROR' }],
  ['oauth_state_invalid', { error_code: 'oauth_state_invalid' }],
  ['temporarily_unavailable', { error_code: 'provider_unavailable' }],
  ['access_denied', { key: 'cancelled' }],
])('%j is known', (text, words) => {
  expect(describe(text)).toEqual(words);
});

test.each([
  [new ApiError({ code: 'TIMEOUT', status: 408 }), { error_code: 'TIMEOUT' }],
  [new ApiError({ code: 'UNKNOWN_ERROR', status: 200 }), { key: 'failed' }],
  [new ApiError({ code: 'HTTP_ERROR', status: 400, backend_error: 'of_another_server' }), { key: 'failed' }],
  [new ApiError({ code: 'HTTP_ERROR', status: 429, retry_after_s: 1 }), { key: 'tooMany', count: 1 }],
  [new RangeError('inner text'), { key: 'failed' }],
])('%s is described', (error, words) => {
  expect(describe(error)).toEqual(words);
});

test('a callback that the server finds not valid is one to start again, there and at the sign-in after it', () => {
  const refused = new ApiError({ code: 'HTTP_ERROR', status: 400, backend_error: 'validation_failed' });
  expect(describeProblem(refused, 'callbackFailed', isErrorCode)).toEqual({ error_code: 'oauth_state_invalid' });
  expect(callbackFailureReason(refused)).toBe('oauth_state_invalid');
  expect(describeProblem(refused, 'loginFailed', isErrorCode)).toEqual({ error_code: 'validation_failed' });
});
