import { getActivity, startActivity } from '@sendlap/contract/activities.ts';
import { completeSignIn, getMe } from '@sendlap/contract/auth.ts';
import { saveBioInfo } from '@sendlap/contract/bio-info.ts';
import { searchSportCenters } from '@sendlap/contract/sport-centers.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTab, EVE, NORA, refusal, reply, tokenOf } from '#test/unit/fake-server.ts';

const ID = '22222222-2222-4222-8222-222222222222';
const START = {
  client_id: ID,
  op_id: ID,
  sport_center_id: ID,
  sport_type: 'climbing',
  started_at: '2026-11-21T10:00:00Z',
} as const;
const REFRESHED = { 'POST /v1/auth/refresh': () => reply({ access_token: 'new', expires_in: 600 }) };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns the outcome of a call after advancing through all its delays. */
async function outcome(work: Promise<unknown>): Promise<unknown> {
  const settled = work.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(120_000);
  return settled;
}

test('a 401 after a refused refresh is AUTH_REQUIRED and signs out [spec 7.answer.401-fails, 8.request.auth-code, 8.request.auth-text]', async () => {
  const tab = createTab({
    'GET /v1/auth/me': () => refusal(401, 'unauthenticated'),
    'POST /v1/auth/refresh': () => refusal(401, 'refresh_invalid'),
  });
  tab.token.set('old', 600);
  expect(await outcome(tab.call(getMe, {}))).toMatchObject({
    code: 'AUTH_REQUIRED',
    message: 'Authentication failed - please login again',
  });
  expect(tab.token.getLatest()).toBeNull();
  expect(tab.signed_out).toHaveLength(1);
});

test('a second 401 after a good refresh is not refreshed again [spec 7.answer.401-retry, 7.answer.no-retry-auth, 8.request.auth-code, 8.request.auth-short]', async () => {
  const tab = createTab({ 'GET /v1/auth/me': () => refusal(401, 'unauthenticated'), ...REFRESHED });
  tab.token.set('old', 600);
  expect(await outcome(tab.call(getMe, {}))).toMatchObject({ code: 'AUTH_REQUIRED', message: 'Authentication failed' });
  expect(tab.sent).toEqual(['GET /v1/auth/me', 'POST /v1/auth/refresh', 'GET /v1/auth/me']);
});

test('a second 401 after a good refresh does not sign out: the session has just issued a token', async () => {
  const tab = createTab({ 'POST /v1/activities': () => refusal(401, 'unauthenticated'), ...REFRESHED });
  await tab.session.signIn(NORA, { access_token: 'old', expires_in: 600 });
  expect(await outcome(tab.call(startActivity, { body: START }))).toMatchObject({ code: 'AUTH_REQUIRED' });
  expect([tab.session.getState().user, tab.token.getValid(), tab.signed_out]).toEqual([NORA, 'new', []]);
});

test('a call for one user is not sent with the token of another', async () => {
  const tab = createTab({ 'POST /v1/activities': () => reply({}) });
  tab.token.set(tokenOf(EVE.id), 600);
  expect(await outcome(tab.call(startActivity, { body: START }, { expected_user_id: NORA.id }))).toMatchObject({
    code: 'AUTH_REQUIRED',
  });
  expect(tab.sent).toEqual([]);
  expect([tab.token.getValid(), tab.signed_out]).toEqual([tokenOf(EVE.id), []]);
});

test.each([
  ['after a 401', 600],
  ['because the token had expired', 0],
])('a call for one user is not sent when the refresh %s brings the token of another', async (_, expires_in) => {
  const tab = createTab({
    'POST /v1/activities': () => refusal(401, 'unauthenticated'),
    'POST /v1/auth/refresh': () => reply({ access_token: tokenOf(EVE.id), expires_in: 600 }),
  });
  tab.token.set(tokenOf(NORA.id), expires_in);
  expect(await outcome(tab.call(startActivity, { body: START }, { expected_user_id: NORA.id }))).toMatchObject({
    code: 'AUTH_REQUIRED',
  });
  expect(tab.requests.map(({ headers }) => headers.get('authorization'))).not.toContain(`Bearer ${tokenOf(EVE.id)}`);
  expect(tab.sent.at(-1)).toBe('POST /v1/auth/refresh');
});

test('a call for one user is not retried with the token of another who signed in between the attempts', async () => {
  const tab = createTab({
    'POST /v1/activities': () => {
      tab.token.set(tokenOf(EVE.id), 600);
      return refusal(503, 'unavailable');
    },
  });
  tab.token.set(tokenOf(NORA.id), 600);
  expect(await outcome(tab.call(startActivity, { body: START }, { expected_user_id: NORA.id }))).toMatchObject({
    code: 'AUTH_REQUIRED',
  });
  expect(tab.sent).toEqual(['POST /v1/activities']);
});

test('a 403 clears the token and asks for a new sign-in [spec 6.forbidden.token, 6.forbidden.reauth, 7.answer.403, 8.request.reauth-code, 8.request.reauth-text]', async () => {
  const tab = createTab({ 'GET /v1/auth/me': () => refusal(403, 'reauthentication_required') });
  tab.token.set('old', 600);
  expect(await outcome(tab.call(getMe, {}))).toMatchObject({
    code: 'REAUTH_REQUIRED',
    message: 'Re-authentication required - please login again',
  });
  expect(tab.token.getLatest()).toBeNull();
  expect(tab.sent).toHaveLength(1);
});

test('a refusal of the server is HTTP_ERROR with its message and its own code, and is not repeated', async () => {
  const tab = createTab({ 'POST /v1/activities': () => refusal(409, 'activity_overlap') });
  tab.token.set('t', 600);
  expect(await outcome(tab.call(startActivity, { body: START }))).toMatchObject({
    code: 'HTTP_ERROR',
    status: 409,
    message: 'refused: activity_overlap',
    backend_error: 'activity_overlap',
  });
  expect(tab.sent).toHaveLength(1);
});

test('no network is NETWORK_ERROR with status 0, and is not retried on a device that knows it is offline [spec 8.request.network-code, 8.request.network-text]', async () => {
  const tab = createTab({ 'GET /v1/auth/me': () => new TypeError('Failed to fetch') });
  tab.token.set('t', 600);
  tab.device.online = false;
  expect(await outcome(tab.call(getMe, {}))).toMatchObject({
    code: 'NETWORK_ERROR',
    status: 0,
    message: 'Network error',
  });
  expect(tab.sent).toHaveLength(1);
});

test('an answer that does not come within 10 s is TIMEOUT [spec 8.request.timeout-code, 8.request.timeout-text, 9.request.timeout]', async () => {
  const never = ({ signal }: Request) =>
    new Promise<Response>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const tab = createTab({ 'POST /v1/auth/oauth/callback/cognito': never });
  let failure: unknown;
  tab.call(completeSignIn, { body: { code: 'c', state: 's' } }).catch((error: unknown) => {
    failure = error;
  });
  await vi.advanceTimersByTimeAsync(9_999);
  expect(failure).toBeUndefined();
  await vi.advanceTimersByTimeAsync(2);
  expect(failure).toMatchObject({ code: 'TIMEOUT', status: 408, message: 'Request timeout' });
});

test('the caller’s abort comes back as it is and ends the waiting [spec 7.answer.no-retry-abort]', async () => {
  const tab = createTab({ 'GET /v1/auth/me': () => refusal(503, 'unavailable') });
  tab.token.set('t', 600);
  const abort = new AbortController();
  const work = tab.call(getMe, {}, { signal: abort.signal }).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(500);
  abort.abort(new Error('left the screen'));
  expect(await work).toMatchObject({ message: 'left the screen' });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tab.sent).toHaveLength(1);
});

test('a write without a key is never sent twice', async () => {
  const tab = createTab({ 'POST /v1/auth/oauth/callback/cognito': () => refusal(503, 'unavailable') });
  await outcome(tab.call(completeSignIn, { body: { code: 'c', state: 's' } }));
  expect(tab.sent).toHaveLength(1);
});

test('a reply that its schema refuses is UNKNOWN_ERROR and names the fields [spec 8.request.unknown-code]', async () => {
  const tab = createTab({ 'GET /v1/auth/me': () => reply({ user: { ...NORA, age: 'old' } }) });
  tab.token.set('t', 600);
  expect(await outcome(tab.call(getMe, {}))).toMatchObject({ code: 'UNKNOWN_ERROR', details: [{ path: 'user.age' }] });
});

test('a read is sent three times, 2 s and 4 s apart [spec 7.answer.backoff, 9.request.attempts, 9.request.wait]', async () => {
  const tab = createTab({ 'GET /v1/auth/me': () => refusal(503, 'unavailable') });
  tab.token.set('t', 600);
  const work = tab.call(getMe, {}).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(tab.sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2);
  expect(tab.sent).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(3_998);
  expect(tab.sent).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(2);
  expect(tab.sent).toHaveLength(3);
  expect(await work).toMatchObject({ code: 'HTTP_ERROR', status: 503 });
});

test('a call that needs a user carries the bearer token, and one that needs none does not [spec 7.all.bearer]', async () => {
  const tab = createTab({ 'GET /v1/auth/me': () => reply({ user: NORA }) });
  tab.token.set('t', 600);
  await outcome(tab.call(getMe, {}));
  await outcome(tab.call(searchSportCenters, { query: {} }));
  expect(tab.requests.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer t', null]);
});

test('every attempt of a write has the same idempotency key', async () => {
  const tab = createTab({ 'POST /v1/users/bio-info': () => refusal(503, 'unavailable') });
  tab.token.set('t', 600);
  const body = { age: 30, weight_kg: 70, height_cm: 180 };
  await outcome(tab.call(saveBioInfo, { body }, { idempotency_key: ID }));
  expect(tab.requests.map(({ headers }) => headers.get('idempotency-key'))).toEqual([ID, ID, ID]);
});

test('a write that carries its op id is retried with the same body', async () => {
  const tab = createTab({ 'POST /v1/activities': () => refusal(502, 'bad_gateway') });
  tab.token.set('t', 600);
  await outcome(tab.call(startActivity, { body: START }));
  const bodies = await Promise.all(tab.requests.map((request) => request.text()));
  expect(bodies).toHaveLength(3);
  expect(new Set(bodies).size).toBe(1);
});

test('a server that asks for a longer wait gets it', async () => {
  const tab = createTab({ 'GET /v1/auth/me': () => refusal(429, 'too_many_requests', { 'retry-after': '7' }) });
  tab.token.set('t', 600);
  const work = tab.call(getMe, {}).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(6_999);
  expect(tab.sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2);
  expect(tab.sent).toHaveLength(2);
  await outcome(work);
  expect(tab.sent).toHaveLength(3);
});

test('a 401 causes one refresh and a retry with the new token [spec 7.answer.401-retry]', async () => {
  const tab = createTab({
    'GET /v1/auth/me': ({ headers }) =>
      headers.get('authorization') === 'Bearer new' ? reply({ user: NORA }) : refusal(401, 'unauthenticated'),
    ...REFRESHED,
  });
  tab.token.set('old', 600);
  expect(await outcome(tab.call(getMe, {}))).toEqual({ user: NORA });
});

test('a token in its last 30 seconds is refreshed before it is sent [spec 9.token.margin]', async () => {
  const tab = createTab({ 'GET /v1/auth/me': () => reply({ user: NORA }), ...REFRESHED });
  tab.token.set('old', 600);
  tab.device.now = 570_000;
  await outcome(tab.call(getMe, {}));
  expect(tab.sent).toEqual(['POST /v1/auth/refresh', 'GET /v1/auth/me']);
  expect(tab.requests[1]?.headers.get('authorization')).toBe('Bearer new');
});

test('parameters and queries are put into the address, and cookies are sent [spec 7.all.cookies]', async () => {
  const tab = createTab({});
  tab.token.set('t', 600);
  await outcome(tab.call(getActivity, { params: { client_id: ID } }));
  await outcome(tab.call(searchSportCenters, { query: { q: 'la pared & más', limit: '5' } }));
  expect(tab.requests[0]?.url).toBe(`https://sendlap.test/v1/activities/${ID}`);
  expect(tab.requests.map(({ credentials }) => credentials)).toEqual(['include', 'include']);
  expect(new URL(tab.requests[1]?.url ?? '').searchParams.get('q')).toBe('la pared & más');
});

test("a call may ask whether the browser's copy is still current, however fresh it is", async () => {
  const tab = createTab({});
  await outcome(tab.call(searchSportCenters, { query: {} }));
  await outcome(tab.call(searchSportCenters, { query: {} }, { revalidate: true }));
  expect(tab.requests.map(({ cache }) => cache)).toEqual(['default', 'no-cache']);
});

test.each([
  ['bare', { user: NORA }],
  ['in one envelope', { success: true, data: { user: NORA } }],
  ['in two levels of data', { success: true, data: { data: { user: NORA } } }],
  ['in data without success', { data: { user: NORA } }],
])('a reply %s is understood [spec 3.envelope.bare, 7.all.wrapped]', async (_, body) => {
  const tab = createTab({ 'GET /v1/auth/me': () => Response.json(body) });
  tab.token.set('t', 600);
  expect(await outcome(tab.call(getMe, {}))).toEqual({ user: NORA });
});
