import { listFriends } from '@sendlap/contract/friends.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { LoadLimits } from '#api/http/listening/load-shedding.ts';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { createBrowser } from '#test/app/browser.ts';
import { NO_LOAD_LIMITS } from '#test/app/no-load-limits.ts';
import { begin, complete, followBack, openPage, PASSWORD } from '#test/app/sign-in.ts';
import { createTestDatabase } from '#test/database/database.ts';
import { countWaiting } from '#test/database/lock-waits.ts';

let own: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  own = await createTestDatabase();
});
afterAll(() => own.drop());

/** Calls that use the table wait until the returned function is called. */
async function holdTable({ database }: TestApp, table: string): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>();
  const holding = database.transaction().execute(async (trx) => {
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(trx);
    isLocked();
    await released;
  });
  await locked;
  return async () => {
    release();
    await holding;
  };
}

/** Signs up a new account at the own provider, up to the callback, which waits for the record of its attempt. */
async function openHeldCallback(api: TestApp, email: string) {
  const browser = createBrowser(api.app);
  const begun = await begin(browser, { signup: 'true' });
  const { path } = await openPage(browser, begun);
  const form = { email, display_name: 'Ada L.', password: PASSWORD };
  const back = await followBack(browser, await browser.request(`${path}/sign-up`, { method: 'POST', form }));
  const release = await holdTable(api, 'sign_in_attempts');
  const reply = complete(browser, { ...back, code_verifier: begun.code_verifier });
  await untilWaiting(api, 1);
  return { reply, release };
}

const untilWaiting = ({ database }: TestApp, count: number) =>
  vi.waitFor(async () => expect(await countWaiting(database)).toBe(count));

test('the end of a sign-in that was admitted is not refused while all others are', async () => {
  const limits: LoadLimits = { ...NO_LOAD_LIMITS };
  const api = await buildTestApp({ database_url: own.url, load_limits: limits });
  const bo = await api.signIn('Bo');
  const { reply, release } = await openHeldCallback(api, 'overload@example.org');
  const releaseFriends = await holdTable(api, 'friendships');
  const other = api.app.inject({ url: listFriends.path, headers: bo.headers });
  await untilWaiting(api, 2);
  Object.assign(limits, { requests: 1, last_ms: 0 });
  expect((await api.app.inject({ method: 'POST', url: '/oidc/token' })).statusCode).toBe(503);
  await release();
  expect((await reply).json()).toMatchObject({ success: true });
  await releaseFriends();
  expect((await other).statusCode).toBe(200);
  await api.close();
});

test('the end of a sign-in that was admitted is not refused while the server closes', async () => {
  const api = await buildTestApp({ database_url: own.url });
  const { reply, release } = await openHeldCallback(api, 'shutdown@example.org');
  const closed = api.close();
  const ask = () =>
    api.app.inject('/healthz').then(
      ({ statusCode }) => statusCode,
      () => 'refused',
    );
  await expect.poll(ask).toBe('refused');
  await release();
  expect((await reply).json()).toMatchObject({ success: true });
  await closed;
});
