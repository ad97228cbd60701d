import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '#web/shared/api/errors.ts';
import { type CallbackQuery, FAILURE_SHOWN_MS, parseCallbackQuery, runCallback } from './callback.ts';
import { callbackFailureReason, SignInError } from './describe-problem.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => void vi.useRealTimers());

/** Runs the callback; returns the events in order. */
function run(
  search: string,
  exchange: (code: string, query: CallbackQuery) => Promise<void> = () => Promise.resolve(),
) {
  const events: string[] = [];
  const leave = runCallback(parseCallbackQuery(search), {
    clearUrlQuery: () => void events.push('address cleaned'),
    exchange: (code, query) => {
      events.push(`exchange ${code}`);
      return exchange(code, query);
    },
    replaceLocation: (to) => void events.push(`go ${to}`),
    onFailure: () => void events.push('failure shown'),
  });
  return { events, leave };
}

test('code, state, error, error_description and the issuer are read from the address [spec 2.callback.params]', () => {
  expect(parseCallbackQuery('?code=c%2B&state=s&error=e&error_description=d%20d&iss=https%3A%2F%2Fid.test')).toEqual({
    code: 'c+',
    state: 's',
    error: 'e',
    error_description: 'd d',
    iss: 'https://id.test',
  });
  expect(parseCallbackQuery('?code=&state=')).toEqual({
    code: null,
    state: null,
    error: null,
    error_description: null,
    iss: null,
  });
});

describe('the callback', () => {
  test('goes to sign-in with the provider’s error, and exchanges nothing [spec 2.callback.error]', () => {
    const { events } = run('?error=access_denied&error_description=No&code=c&state=s');
    expect(events).toEqual(['address cleaned', 'go /login?error=access_denied']);
  });

  test('passes an error on as text and never as a part of the address [spec 2.callback.error]', () => {
    const { events } = run(`?error=${encodeURIComponent('x&next=//evil.test#')}`);
    expect(events).toEqual(['address cleaned', 'go /login?error=x%26next%3D%2F%2Fevil.test%23']);
  });

  test.each(['', '?', '?state=s', '?code=&state=s'])(
    'without a code (%j) it says so at sign-in [spec 2.callback.no-code]',
    (search) => {
      const { events } = run(search);
      expect(events).toEqual(['address cleaned', 'go /login?error=No%20authorization%20code%20received']);
    },
  );

  test('goes to / when the exchange has worked, not before [spec 2.callback.success]', async () => {
    const done = Promise.withResolvers<void>();
    const { events } = run('?code=c&state=s', () => done.promise);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(events).toEqual(['address cleaned', 'exchange c']);
    done.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(events).toEqual(['address cleaned', 'exchange c', 'go /']);
  });

  test('shows a failure for 2 seconds and then goes to sign-in with the reason [spec 2.callback.failed-wait]', async () => {
    expect(FAILURE_SHOWN_MS).toBe(2_000);
    const { events } = run('?code=c&state=s', () => Promise.reject(new SignInError('OAuth callback failed')));
    await vi.advanceTimersByTimeAsync(1_999);
    expect(events).toEqual(['address cleaned', 'exchange c', 'failure shown']);
    await vi.advanceTimersByTimeAsync(1);
    expect(events.at(-1)).toBe('go /login?error=OAuth%20callback%20failed');
  });

  test('goes nowhere once the screen was left', async () => {
    const { events, leave } = run('?code=c&state=s', () => Promise.reject(new Error('late')));
    await vi.advanceTimersByTimeAsync(1);
    leave();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(events).toEqual(['address cleaned', 'exchange c', 'failure shown']);
    const other = run('?code=d&state=s');
    other.leave();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(other.events).toEqual(['address cleaned', 'exchange d']);
  });
});

test.each([
  [new SignInError('Failed to complete authentication'), 'Failed to complete authentication'],
  [new ApiError({ code: 'HTTP_ERROR', status: 400, backend_error: 'oauth_state_invalid' }), 'oauth_state_invalid'],
  [new ApiError({ code: 'NETWORK_ERROR', status: 0 }), 'NETWORK_ERROR'],
  [new ApiError({ code: 'HTTP_ERROR', status: 418, message: 'anything' }), 'OAuth callback failed'],
  [new RangeError('anything'), 'OAuth callback failed'],
])('sign-in shows %s as %j [spec 8.auth.callback-failed]', (error, reason) => {
  expect(callbackFailureReason(error)).toBe(reason);
});
