import type { ChildProcess } from 'node:child_process';
import { REFRESH_COOKIE } from '../apps/api/src/sessions/refresh-cookies.ts';
import type { SessionScene, VerifyFigure, VerifyOrder } from '../apps/api/test/measured/sessions.ts';
import { launchBrowser } from '../e2e/kills/tab-group.ts';
import { startServer } from '../e2e/server/server.ts';
import { login, refresh } from '../packages/contract/src/auth.ts';
import { type Figure, type FigureSheet, openFigureSheet } from '../tools/programs/figures.ts';
import { prepareBrowser } from '../tools/programs/measure-in-browser.ts';
import { sized } from '../tools/programs/program-size.ts';
import type { Figure as Rate } from './load/calls.ts';
import { cpuTime, forkAsInProduction, nextMessage, startMeasured } from './load/measured-server.ts';
import { median } from './load/print.ts';
import { loginForAWhile, refreshForAWhile } from './load/session-load.ts';

const ROUNDS = sized(9, 1);
const ROUND_S = 2;
const ME_GOAL = 0.6;
const REFRESH_GOAL = 500;
const SIGN_IN_GOAL_S = 2.5;
const SIGN_INS = sized(5, 1);
/** One for each of libuv's threads, which hash the passwords. */
const LOGINS_AT_ONCE = 4;

/**
 * The current user next to a bare Fastify JSON route; refreshes; sign-ins by password next to bare argon2id; and a
 * whole sign-in in Chromium.
 */
export async function run(): Promise<Figure[]> {
  const sheet = openFigureSheet();
  await measureMe(sheet);
  await measureSessions(sheet);
  await measureSignIn(sheet);
  return sheet.figures;
}

/**
 * GET /v1/auth/me next to a bare Fastify JSON route, alternating within one run. The ratio is of CPU time per request,
 * which other processes on the machine disturb least; 1.00 would be as cheap as the bare route.
 */
async function measureMe(sheet: FigureSheet): Promise<void> {
  const hello = await startMeasured(new URL('../apps/api/test/measured/hello.ts', import.meta.url));
  const me = await startMeasured(new URL('../apps/api/test/measured/app.ts', import.meta.url));
  const ratios: number[] = [];
  try {
    await hello.load(1);
    await me.load(1);
    console.log('round   hello µs/request   me µs/request   ratio   hello/s   me/s   me p99 ms');
    for (let round = 1; round <= ROUNDS; round += 1) {
      const [peer, own] = [await hello.load(ROUND_S), await me.load(ROUND_S)];
      const ratio = peer.cpu_us_per_request / own.cpu_us_per_request;
      ratios.push(ratio);
      const cells = [
        String(round).padEnd(5),
        peer.cpu_us_per_request.toFixed(1).padStart(18),
        own.cpu_us_per_request.toFixed(1).padStart(15),
        ratio.toFixed(2).padStart(7),
        peer.requests_per_s.toFixed(0).padStart(9),
        own.requests_per_s.toFixed(0).padStart(6),
        own.p99_ms.toFixed(0).padStart(11),
      ];
      console.log(cells.join(' '));
    }
  } finally {
    hello.stop();
    me.stop();
  }
  sheet.goal('GET /v1/auth/me beside a bare Fastify JSON route, CPU', median(ratios), { at_least: ME_GOAL });
}

/** Refreshes of many browsers; then sign-ins by password, alternating with bare password checks in the same process. */
async function measureSessions(sheet: FigureSheet): Promise<void> {
  const child = forkAsInProduction(new URL('../apps/api/test/measured/sessions.ts', import.meta.url));
  try {
    const scene = await nextMessage<SessionScene>(child);
    const refreshes = { ...scene, path: refresh.path, cookie: REFRESH_COOKIE };
    await refreshForAWhile(refreshes, 1);
    const before = await cpuTime(child);
    const figure = await refreshForAWhile(refreshes, 5);
    const each_ms = ((await cpuTime(child)) - before) / figure.calls / 1000;
    const { calls_per_s, p99_ms } = figure;
    const browsers = scene.refresh_tokens.length;
    sheet.goal(`refreshes of ${browsers} browsers, durable`, calls_per_s, { at_least: REFRESH_GOAL }, '/s');
    console.log(`     (p99 ${p99_ms.toFixed(0)} ms, ${each_ms.toFixed(2)} ms of the server's CPU each)`);
    await measureLogins(sheet, child, scene);
  } finally {
    child.kill();
  }
}

/** From opening /login, by the provider's page, to the dashboard; in a new browser each time. */
async function measureSignIn(sheet: FigureSheet): Promise<void> {
  await prepareBrowser();
  const server = await startServer();
  const browser = await launchBrowser();
  const times: number[] = [];
  try {
    const account = await createAccount(server);
    for (let round = 0; round < SIGN_INS; round += 1) {
      const context = await browser.newContext({ baseURL: server.url, locale: 'en-GB' });
      times.push(await timeSignIn(await context.newPage(), account));
      await context.close();
    }
  } finally {
    await browser.close();
    await server.remove();
  }
  sheet.goal('whole sign-in in Chromium, from opening /login', median(times), { at_most: SIGN_IN_GOAL_S }, ' s');
  console.log(`     (${times.map((time) => time.toFixed(2)).join(', ')} s)`);
}

/**
 * The ratio is of CPU time, as for the current user. argon2id takes nearly all of a sign-in; the rest is the account,
 * the session and the reply.
 */
async function measureLogins(sheet: FigureSheet, child: ChildProcess, scene: SessionScene): Promise<void> {
  const load = { ...scene, path: login.path };
  const order: VerifyOrder = { concurrency: LOGINS_AT_ONCE, duration_s: ROUND_S };
  // The first sign-in of each account creates its user.
  await loginForAWhile(load, LOGINS_AT_ONCE, 2 * ROUND_S);
  const ratios: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const before = await cpuTime(child);
    child.send(order);
    const { verifies } = await nextMessage<VerifyFigure>(child);
    const between = await cpuTime(child);
    const figure = await loginForAWhile(load, LOGINS_AT_ONCE, ROUND_S);
    const [per_verify, per_login] = [(between - before) / verifies, ((await cpuTime(child)) - between) / figure.calls];
    printRate(
      `sign-ins by password, ${LOGINS_AT_ONCE} at a time, beside ${(verifies / ROUND_S).toFixed(0)} bare checks/s`,
      figure,
    );
    ratios.push(per_verify / per_login);
  }
  const parameters = scene.password_hash.split('$').slice(1, 4).join(' ');
  sheet.add('POST /v1/auth/login beside a bare check, CPU', median(ratios).toFixed(2), ` (${parameters})`);
}

interface Account {
  email: string;
  password: string;
}

async function createAccount(server: Awaited<ReturnType<typeof startServer>>): Promise<Account> {
  const printed = await server.sendlap('users', 'create', 'ada@example.org', '--name', 'Ada', '--json');
  return JSON.parse(printed.slice(printed.indexOf('{')));
}

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof launchBrowser>>['newPage']>>;

/** Returns seconds. */
async function timeSignIn(page: Page, { email, password }: Account): Promise<number> {
  const started_at = performance.now();
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().click();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/dashboard');
  await page.locator('h1').first().waitFor();
  return (performance.now() - started_at) / 1000;
}

function printRate(what: string, { calls_per_s, p99_ms }: Rate): void {
  console.log(`${what}: ${calls_per_s.toFixed(0)}/s, p99 ${p99_ms.toFixed(0)} ms`);
}
