import { beforeEach, expect, test } from 'vitest';
import { NORA } from '#test/unit/fake-server.ts';
import { type AuthState, createAuthState } from './auth-state.ts';

let state: AuthState;
beforeEach(() => {
  state = createAuthState();
});

test('the state has a user, a loading flag, an error and a checking flag, and begins by checking [spec 3.auth-state.fields]', () => {
  expect(state.getState()).toEqual({ user: null, loading: false, error: null, checking_auth: true });
});

test('set loading and set checking change their own flag [spec 4.auth.set-loading, 4.auth.set-checking]', () => {
  state.dispatch({ type: 'set_loading', loading: true });
  expect(state.getState()).toEqual({ user: null, loading: true, error: null, checking_auth: true });
  state.dispatch({ type: 'set_checking', checking_auth: false });
  expect(state.getState()).toEqual({ user: null, loading: true, error: null, checking_auth: false });
});

test('set user clears the error and the loading flag [spec 4.auth.set-user]', () => {
  state.dispatch({ type: 'set_error', error: 'Login failed' });
  state.dispatch({ type: 'set_loading', loading: true });
  state.dispatch({ type: 'set_user', user: NORA });
  expect(state.getState()).toEqual({ user: NORA, loading: false, error: null, checking_auth: true });
});

test('an error is set and cleared, and touches nothing else [spec 4.auth.set-error, 4.auth.clear-error]', () => {
  state.dispatch({ type: 'set_user', user: NORA });
  state.dispatch({ type: 'set_error', error: 'Login failed' });
  expect(state.getState()).toEqual({ user: NORA, loading: false, error: 'Login failed', checking_auth: true });
  state.dispatch({ type: 'clear_error' });
  expect(state.getState()).toEqual({ user: NORA, loading: false, error: null, checking_auth: true });
});

test('logout clears the user [spec 4.auth.logout]', () => {
  state.dispatch({ type: 'set_user', user: NORA });
  state.dispatch({ type: 'logout' });
  expect(state.getState().user).toBeNull();
});

test('listeners are called on every change until they unsubscribe', () => {
  let heard = 0;
  const stop = state.subscribe(() => {
    heard += 1;
  });
  state.dispatch({ type: 'logout' });
  stop();
  state.dispatch({ type: 'logout' });
  expect(heard).toBe(1);
});
