import { describe, expect, test } from 'vitest';
import {
  INITIAL_SESSION,
  isTokenExpired,
  SESSION_CHECK_INTERVAL_MS,
  type SessionAction,
  type SessionState,
  sessionReducer,
  TOKEN_EXPIRY_MARGIN_MS,
} from './session-machine.ts';

const ANA = { id: 'ana' };
const FULL: SessionState<typeof ANA> = { user: ANA, loading: true, error: 'Login failed', checking_auth: true };

describe('each action changes its own fields and no other', () => {
  test.each<[SessionAction<typeof ANA>, Partial<SessionState<typeof ANA>>]>([
    [{ type: 'set_loading', loading: false }, { loading: false }],
    [{ type: 'set_checking', checking_auth: false }, { checking_auth: false }],
    [
      { type: 'set_user', user: { id: 'eva' } },
      { user: { id: 'eva' }, error: null, loading: false },
    ],
    [
      { type: 'set_user', user: null },
      { user: null, error: null, loading: false },
    ],
    [{ type: 'set_error', error: 'Request timeout' }, { error: 'Request timeout' }],
    [{ type: 'clear_error' }, { error: null }],
    [{ type: 'logout' }, { user: null }],
  ])('%j', (action, changes) => {
    const before = structuredClone(FULL);
    expect(sessionReducer(FULL, action)).toEqual({ ...before, ...changes });
    expect(FULL).toEqual(before);
  });

  test.each<[SessionAction<typeof ANA>, Partial<SessionState<typeof ANA>>]>([
    [{ type: 'set_loading', loading: true }, { loading: true }],
    [{ type: 'set_checking', checking_auth: true }, { checking_auth: true }],
    [{ type: 'set_error', error: 'x' }, { error: 'x' }],
    [{ type: 'logout' }, {}],
  ])('%j from an empty state', (action, changes) => {
    const empty = { user: null, loading: false, error: null, checking_auth: false };
    expect(sessionReducer<typeof ANA>(empty, action)).toEqual({ ...empty, ...changes });
  });
});

test('before the first check no user is known', () => {
  expect(INITIAL_SESSION).toEqual({ user: null, loading: false, error: null, checking_auth: true });
});

test('a token is expired from 30 s before its expiry on', () => {
  expect(TOKEN_EXPIRY_MARGIN_MS).toBe(30_000);
  expect(isTokenExpired(100_000, 69_999)).toBe(false);
  expect(isTokenExpired(100_000, 70_000)).toBe(true);
  expect(isTokenExpired(100_000, 200_000)).toBe(true);
});

test('a token with no known expiry is expired', () => {
  expect(isTokenExpired(null, 0)).toBe(true);
  expect(isTokenExpired(Number.NaN, 0)).toBe(true);
});

test('the session is checked every 15 minutes', () => {
  expect(SESSION_CHECK_INTERVAL_MS).toBe(15 * 60 * 1000);
});
