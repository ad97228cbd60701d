import { startActivity } from '@sendlap/contract/activities.ts';
import { getMe, login } from '@sendlap/contract/auth.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTab, NORA, refusal, reply } from '#test/unit/fake-server.ts';
import en from '../i18n/en/errors.json';
import es from '../i18n/es/errors.json';
import { ApiError, isUnreachable } from './errors.ts';

const ME = 'GET /v1/auth/me';
const CREDENTIALS = { body: { email: 'nora@example.org', password: 'chalk and water' } };
const ID = '22222222-2222-4222-8222-222222222222';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns the outcome of "who am I" for this answer, after advancing through all delays. */
async function ask(answer: () => Response | Error): Promise<{ error: ApiError; sent: number }> {
  const tab = createTab({ [ME]: answer, 'POST /v1/auth/refresh': () => reply({ access_token: 'n', expires_in: 600 }) });
  tab.token.set('t', 600);
  const settled = tab.call(getMe, {}).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(120_000);
  const error = await settled;
  if (!(error instanceof ApiError)) throw new Error('no ApiError');
  return { error, sent: tab.sent.filter((name) => name === ME).length };
}

const json = (status: number, body: unknown, statusText = '') => Response.json(body, { status, statusText });
const timed = (status: number, body: unknown) => Response.json(body, { status, headers: { 'x-server-time': '1' } });
const page = (status: number, statusText = '') => new Response('<h1>nope</h1>', { status, statusText });

describe('code and message of each failure', () => {
  test.each([
    ['the message of the envelope', () => json(409, { success: false, message: 'It is taken' }), 'It is taken'],
    ['a detail instead', () => json(409, { detail: 'It is taken' }), 'It is taken'],
    ['a message inside error', () => json(409, { error: { message: 'It is taken' } }), 'It is taken'],
    ['an error in words', () => json(409, { error: 'It is taken' }, 'Conflict'), 'It is taken'],
    ['a failing envelope with status 200', () => json(200, { success: false, message: 'It is taken' }), 'It is taken'],
  ])('HTTP_ERROR says %s [spec 8.request.http-code, 8.request.http-message]', async (_, answer, message) => {
    expect((await ask(answer)).error).toMatchObject({ code: 'HTTP_ERROR', message, server_message: 'It is taken' });
  });

  test.each([
    ['a page', () => page(418, "I'm a teapot")],
    ['an empty body', () => new Response(null, { status: 418, statusText: "I'm a teapot" })],
    ['JSON without a message', () => json(418, { success: false }, "I'm a teapot")],
    ['an empty message', () => json(418, { message: '' }, "I'm a teapot")],
  ])('for %s HTTP_ERROR says the status text [spec 8.request.http-code, 8.request.http-status]', async (_, answer) => {
    const { error } = await ask(answer);
    expect(error).toMatchObject({ code: 'HTTP_ERROR', message: "I'm a teapot", server_message: null });
  });

  test.each([
    ['a page', () => page(418)],
    ['an empty body', () => new Response(null, { status: 404 })],
  ])('for %s without a status text HTTP_ERROR says "Request failed" [spec 8.request.http-text]', async (_, answer) => {
    expect((await ask(answer)).error).toMatchObject({ code: 'HTTP_ERROR', message: 'Request failed' });
  });

  test.each([
    ['status 408', () => page(408), { code: 'TIMEOUT', status: 408, message: 'Request timeout' }],
    ['403', () => refusal(403, 'reauthentication_required'), { code: 'REAUTH_REQUIRED', status: 403 }],
    ['a network that is gone', () => new TypeError('Failed to fetch'), { code: 'NETWORK_ERROR', status: 0 }],
    ['anything else', () => new RangeError('?'), { code: 'UNKNOWN_ERROR', status: 0 }],
    ['a reply that is not our server’s', () => page(200), { code: 'UNKNOWN_ERROR', status: 200 }],
  ])(
    '%s has its own code [spec 8.request.timeout-code, 8.request.timeout-text, 8.request.reauth-code, 8.request.network-code, 8.request.unknown-code]',
    async (_, answer, expected) => {
      expect((await ask(answer)).error).toMatchObject(expected);
    },
  );

  test.each([
    ['a 401 in HTML', () => page(401)],
    ['a 403 in HTML', () => page(403)],
    ['a 401 without a body', () => new Response(null, { status: 401 })],
    [
      'a 403 in the shape of the wire, without the time of our server',
      () => json(403, { success: false, message: '?' }),
    ],
    ['a 401 with the time of a server, without the shape of the wire', () => timed(401, { welcome: true })],
  ])('a portal or a proxy says nothing about the session: %s is no network', async (_, answer) => {
    expect((await ask(answer)).error).toMatchObject({ code: 'NETWORK_ERROR', status: 0, is_from_our_server: false });
  });

  test('a 404 of a portal is no answer of our server, which alone may say that something does not exist', async () => {
    expect(isUnreachable((await ask(() => page(404))).error)).toBe(true);
    expect(isUnreachable((await ask(() => refusal(404, 'not_found'))).error)).toBe(false);
  });

  test('UNKNOWN_ERROR has words in both languages [spec 8.request.unknown-text]', () => {
    expect([en.UNKNOWN_ERROR, es.UNKNOWN_ERROR].every((text) => text.length > 10)).toBe(true);
    expect(en.UNKNOWN_ERROR).not.toBe(es.UNKNOWN_ERROR);
  });

  test('an error carries message, status, code, details and the server’s own code [spec 3.api-error.fields]', async () => {
    const details = [{ path: 'body.age', message: 'must be a number' }];
    const { error } = await ask(() => json(400, { message: 'Not valid', code: 'validation_failed', details }));
    expect(error).toBeInstanceOf(Error);
    expect({ ...error, message: error.message }).toMatchObject({
      message: 'Not valid',
      status: 400,
      code: 'HTTP_ERROR',
      details,
      backend_error: 'validation_failed',
    });
  });
});

describe('retries by failure', () => {
  test.each([
    [400, 1],
    [403, 1],
    [404, 1],
    [409, 1],
    [422, 1],
    [408, 3],
    [425, 3],
    [429, 3],
    [500, 3],
    [502, 3],
    [503, 3],
  ])(
    'a read that is answered %i is sent %i times [spec 7.answer.backoff, 9.request.attempts]',
    async (status, times) => {
      expect((await ask(() => refusal(status, 'bad_request'))).sent).toBe(times);
    },
  );

  test('a read without network is sent three times [spec 7.answer.backoff, 9.request.attempts]', async () => {
    expect((await ask(() => new TypeError('Failed to fetch'))).sent).toBe(3);
  });

  test('an authentication that failed is not sent again beyond its one refresh [spec 7.answer.no-retry-auth]', async () => {
    expect((await ask(() => refusal(401, 'unauthenticated'))).sent).toBe(2);
  });

  test.each([
    ['seconds', { 'retry-after': '7' }],
    ['a date', { 'retry-after': 'Sat, 21 Nov 2026 10:00:07 GMT', date: 'Sat, 21 Nov 2026 10:00:00 GMT' }],
  ])('a Retry-After in %s is obeyed', async (_, headers) => {
    const tab = createTab({ [ME]: () => refusal(425, 'too_early', headers) });
    tab.token.set('t', 600);
    const work = tab.call(getMe, {}).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(6_999);
    expect(tab.sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2);
    expect(tab.sent).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await work).toMatchObject({ retry_after_s: 7 });
  });

  test('a Retry-After of more than half a minute stops the retries', async () => {
    expect((await ask(() => refusal(503, 'unavailable', { 'retry-after': '31' }))).sent).toBe(1);
  });
});

describe('a wrong password', () => {
  test('is HTTP_ERROR with the server’s message, and ends no session [spec 8.auth.login-server]', async () => {
    const tab = createTab({ 'POST /v1/auth/login': () => refusal(401, 'credentials_wrong') });
    await tab.session.signIn(NORA, { access_token: 't', expires_in: 600 });
    await expect(tab.call(login, CREDENTIALS)).rejects.toMatchObject({
      code: 'HTTP_ERROR',
      status: 401,
      message: 'refused: credentials_wrong',
      backend_error: 'credentials_wrong',
    });
    expect(tab.sent).toEqual(['POST /v1/auth/login']);
    expect([tab.token.getValid(), tab.session.getState().user, tab.signed_out]).toEqual(['t', NORA, []]);
  });

  test('and too many of them are shown with the time to wait, and not sent again', async () => {
    const tab = createTab({
      'POST /v1/auth/login': () => refusal(429, 'too_many_requests', { 'retry-after': '60' }),
    });
    await expect(tab.call(login, CREDENTIALS)).rejects.toMatchObject({ status: 429, retry_after_s: 60 });
    expect(tab.sent).toHaveLength(1);
  });
});

describe('an account that is locked until it is erased', () => {
  const START = {
    client_id: ID,
    op_id: ID,
    sport_center_id: ID,
    sport_type: 'climbing',
    started_at: '2026-11-21T10:00:00Z',
  } as const;
  const START_PATH = 'POST /v1/activities';

  test('turns inactive with the first answer that says so, in all tabs', async () => {
    const tab = createTab({ [START_PATH]: () => refusal(409, 'account_locked') });
    const other = createTab({}, tab.browser);
    for (const each of [tab, other]) await each.session.signIn(NORA, { access_token: 't', expires_in: 600 });
    await expect(tab.call(startActivity, { body: START })).rejects.toMatchObject({ backend_error: 'account_locked' });
    const locked = { ...NORA, is_active: false };
    expect([tab.session.getState().user, other.session.getState().user]).toEqual([locked, locked]);
    expect([tab.token.getValid(), tab.device.profile]).toEqual(['t', locked]);
  });

  test('stays active after any other conflict', async () => {
    const tab = createTab({ [START_PATH]: () => refusal(409, 'activity_overlap') });
    await tab.session.signIn(NORA, { access_token: 't', expires_in: 600 });
    await tab.call(startActivity, { body: START }).catch(() => {});
    expect(tab.session.getState().user).toEqual(NORA);
  });

  test('stays active when the answer was to a token that has since been replaced', async () => {
    const tab = createTab({
      [START_PATH]: () => {
        tab.token.set('full', 600);
        return refusal(409, 'account_locked');
      },
    });
    await tab.session.signIn(NORA, { access_token: 'locked', expires_in: 600 });
    await tab.call(startActivity, { body: START }).catch(() => {});
    expect(tab.session.getState().user).toEqual(NORA);
  });
});
