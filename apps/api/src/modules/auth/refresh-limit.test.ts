import { randomBytes } from 'node:crypto';
import { refresh } from '@sendlap/contract/auth.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { REFRESH_COOKIE } from '#api/sessions/refresh-cookies.ts';
import { buildTestApp, type TestApp } from '#test/app/app.ts';

const SAME_ORIGIN_HEADERS = { origin: 'http://localhost:8000', 'sec-fetch-site': 'same-origin' };
const { max } = refresh.limit;

let api: TestApp;
beforeAll(async () => {
  api = await buildTestApp();
});
afterAll(() => api.close());
// Fakes the clock: a slow machine must not reach the next minute.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

let addresses = 0;
/** An address without previous calls. */
function newAddress(): string {
  addresses += 1;
  return `203.0.113.${addresses}`;
}

async function refreshFrom(remoteAddress: string, token?: string) {
  const cookie = token === undefined ? {} : { cookie: `${REFRESH_COOKIE}=${token}` };
  const reply = await api.app.inject({
    method: 'POST',
    url: refresh.path,
    remoteAddress,
    headers: { ...SAME_ORIGIN_HEADERS, ...cookie },
  });
  const child = reply.cookies.find(({ name }) => name === REFRESH_COOKIE)?.value;
  return { status: reply.statusCode, headers: reply.headers, child };
}

const madeUpToken = () => randomBytes(32).toString('base64url');

/** Calls until the limit of the address has none left. */
async function useUp(address: string, makeToken: () => string | undefined): Promise<void> {
  for (let nth = 0; nth < max; nth += 1) expect((await refreshFrom(address, makeToken())).status).toBe(401);
  const { status, headers } = await refreshFrom(address, makeToken());
  expect([status, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual([429, String(max), '0']);
  expect(headers['retry-after']).toBe(headers['x-ratelimit-reset']);
}

test('the phones behind one address refresh all, more than one of them may in a minute', async () => {
  const address = newAddress();
  const statuses = new Set<number>();
  for (let nth = 0; nth < max + 10; nth += 1) {
    const { refresh_token } = await api.signIn('Ada');
    statuses.add((await refreshFrom(address, refresh_token)).status);
  }
  expect([...statuses]).toEqual([200]);
});

test('calls without a cookie are counted by address, and keep out no session behind it', async () => {
  const address = newAddress();
  const { refresh_token } = await api.signIn('Ada');
  await useUp(address, () => undefined);
  expect((await refreshFrom(address, refresh_token)).status).toBe(200);
  expect((await refreshFrom(newAddress())).status).toBe(401);
});

test('calls with made-up tokens are counted by address together, and keep out no session behind it', async () => {
  const address = newAddress();
  const { refresh_token } = await api.signIn('Ada');
  await useUp(address, madeUpToken);
  expect([(await refreshFrom(address)).status, (await refreshFrom(address, refresh_token)).status]).toEqual([429, 200]);
  expect((await refreshFrom(newAddress(), madeUpToken())).status).toBe(401);
});

test('the calls of one session are counted together, with every token and from every address', async () => {
  const { refresh_token } = await api.signIn('Ada');
  const address = newAddress();
  let token = refresh_token;
  for (let nth = 0; nth < max; nth += 1) {
    const { status, child = '' } = await refreshFrom(nth % 2 === 0 ? address : newAddress(), token);
    expect(status).toBe(200);
    token = child;
  }
  for (const presented of [token, refresh_token]) expect((await refreshFrom(newAddress(), presented)).status).toBe(429);
  expect((await refreshFrom(address, (await api.signIn('Bo')).refresh_token)).status).toBe(200);
});
