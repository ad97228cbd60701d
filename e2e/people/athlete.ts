import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test';
import { expect, test } from '@playwright/test';
import type { Server } from '../server/server.ts';
import { answerAhead, declineWheneverAsked } from './welcome.ts';

/** Of every account that a journey creates. */
export const PASSWORD = 'chalk and water 26';

/** The worker fetches the whole app, which takes a while on a busy machine. */
export const WORKER_TIMEOUT_MS = 120_000;
const MINUTES_A_DAY = 24 * 60;
/** Three hours before midnight in Madrid, in summer. */
const LATE_AT_MINUTE = 19 * 60;
/** A page that makes a request has corrected its clock by then. */
const CORRECTED_WITHIN_MS = 5_000;
/** Less than any journey moves a clock, and more than it takes to read it. */
const MOVED_MS = 10_000;

/** A user of the server, with or without a browser. */
export interface Person {
  name: string;
  email: string;
}

export interface Athlete extends Person {
  context: BrowserContext;
  page: Page;
}

type Prepare = (page: Page) => Promise<void>;

/** For the worker that opens the app without a network. The journeys' configuration blocks it everywhere else. */
export const WITH_WORKER: BrowserContextOptions = { serviceWorkers: 'allow' };

/**
 * Signs up a new user in a browser of their own, who declined the question of body data. `prepare` runs with the page
 * before the app opens for the first time.
 */
export async function signUp(
  browser: Pick<Browser, 'newContext'>,
  server: Server,
  name: string,
  options: BrowserContextOptions = {},
  prepare?: Prepare,
): Promise<Athlete> {
  return inSignUpStep(async () => {
    const { context, page } = await openPhone(browser, server, options);
    await prepare?.(page);
    const { email, user_id } = await signUpWithoutScreens(context, server, name);
    await answerAhead(context, user_id);
    await page.goto('/dashboard');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    return { name, email, context, page };
  });
}

/** Creates an account and sets its session in the browser, as if the user had signed up on the screens. */
export async function signUpWithoutScreens(
  context: BrowserContext,
  server: Server,
  name: string,
): Promise<{ email: string; user_id: string }> {
  const email = newEmail(name);
  const { user_id, cookie } = await server.createAccount({ email, name, password: PASSWORD });
  // Without a port, which cookies ignore. The scheme makes it a secure cookie, which `localhost` accepts.
  const url = 'https://localhost/';
  const expires = Math.floor(Date.now() / 1000) + cookie.max_age_s;
  const { name: cookie_name, value } = cookie;
  await context.addCookies([
    { name: cookie_name, value, url, expires, httpOnly: true, sameSite: 'Strict' },
    { name: '__Host-sendlap_session', value: '1', url, expires, sameSite: 'Strict' },
  ]);
  return { email, user_id };
}

/** Creates a user without a browser, for journeys that never look at this user's screens. */
export async function addPerson(server: Server, name: string): Promise<Person & { public_id: string }> {
  await passNight(server);
  const email = newEmail(name);
  const { public_id } = await server.createAccount({ email, name, password: PASSWORD });
  return { name, email, public_id };
}

/** Runs as a step of the journey, which its report counts; outside a test there are no steps. */
function inSignUpStep<Value>(act: () => Promise<Value>): Promise<Value> {
  return isInTest() ? test.step('sign up', act) : act();
}

function isInTest(): boolean {
  try {
    return test.info() !== undefined;
  } catch {
    return false;
  }
}

/** As `signUp`, by the app's own screens and those of its provider. */
export async function signUpByHand(
  browser: Browser,
  server: Server,
  name: string,
  options: BrowserContextOptions = {},
): Promise<Athlete> {
  return inSignUpStep(async () => {
    const { context, page } = await openPhone(browser, server, options);
    await declineWheneverAsked(page);
    await page.goto('/register');
    await page.getByRole('button', { name: 'Create account' }).click();
    const email = await fillSignUpForm(page, name);
    await expect(page).toHaveURL(/\/dashboard$/);
    return { name, email, context, page };
  });
}

async function openPhone(browser: Pick<Browser, 'newContext'>, server: Server, options: BrowserContextOptions) {
  await passNight(server);
  const context = await browser.newContext({ baseURL: server.url, ...options });
  // An earlier journey of the file may have moved the server's clock.
  await context.clock.install({ time: server.now() });
  return { context, page: await context.newPage() };
}

/**
 * Late in the day, on a server whose clock no journey has moved yet, skips the night: a journey then ends on the day,
 * in the week and in the month in which it began, by the clocks of the phones (UTC) and of the centers (Madrid).
 */
export async function passNight(server: Server): Promise<void> {
  const is_moved = server.now() - Date.now() > MOVED_MS;
  const minute = Math.floor(server.now() / 60_000) % MINUTES_A_DAY;
  if (!is_moved && minute >= LATE_AT_MINUTE) await server.passTime((MINUTES_A_DAY - minute) * 60_000);
}

function newEmail(name: string): string {
  return `${name.toLowerCase()}-${crypto.randomUUID().slice(0, 8)}@example.org`;
}

/** Fills the provider's own page; returns the address that it entered. */
export async function fillSignUpForm(page: Page, name: string): Promise<string> {
  const email = newEmail(name);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Display name').fill(name);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  return email;
}

/** Signs the same user in on another browser, by the provider's sign-in page. */
export async function signInElsewhere(
  browser: Browser,
  server: Server,
  { name, email }: Athlete,
  options: BrowserContextOptions = {},
): Promise<Athlete> {
  const { context, page } = await openPhone(browser, server, options);
  await signIn(page, email);
  return { name, email, context, page };
}

/** Signs in from the sign-in screen, by the provider's page, into the app. */
export async function signIn(page: Page, email: string): Promise<void> {
  await leaveForProvider(page);
  await fillSignInForm(page, email);
}

/** Goes from the sign-in screen to the provider's page, ready to be filled. */
async function leaveForProvider(page: Page): Promise<void> {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().click();
  await expect(page).toHaveURL(/\/oidc\//);
}

/** Fills the provider's own page and returns to the app. */
async function fillSignInForm(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
}

/** Searches for the one center of this name, in either language, and opens its page. */
export async function openCenter(page: Page, name: string): Promise<void> {
  await page.goto('/sport-centers');
  await page.getByRole('combobox', { name: /^(Search by name or city|Busca por nombre o ciudad)$/ }).fill(name);
  // The previous list stays until the search has answered, longer than a fast tap.
  const rows = page.getByRole('main').getByRole('listitem');
  await expect(rows).toHaveCount(1);
  await rows.getByRole('link', { name: new RegExp(name) }).click();
  await expect(page.getByRole('heading', { level: 1, name: new RegExp(name) })).toBeVisible();
}

/** Returns the id of the one center of this name. */
export async function findCenterId(server: Server, name: string): Promise<string> {
  const reply = await fetch(`${server.url}/v1/sport-centers/search?q=${encodeURIComponent(name)}`);
  const { data } = (await reply.json()) as { data: { items: { id: string }[] } };
  const [center, ...others] = data.items;
  if (!center || others.length > 0) throw new Error(`${data.items.length} centers are called ${name}`);
  return center.id;
}

/** Reads the public id from the profile screen. */
export async function readPublicId({ page }: Athlete): Promise<string> {
  await page.getByRole('link', { name: 'Profile' }).click();
  return page.getByText(/^sl-[a-z0-9]{10}$/).innerText();
}

/** Lets time pass for the server and for each phone or tablet alike. */
export async function passTime(
  server: Server,
  devices: readonly Pick<Athlete, 'context'>[],
  minutes: number,
): Promise<void> {
  const duration_ms = minutes * 60_000;
  const pages = devices.flatMap(({ context }) => context.pages());
  const offsets_before = await Promise.all(pages.map(readClockOffset));
  await server.passTime(duration_ms);
  for (const { context } of devices) await context.clock.fastForward(duration_ms);
  await Promise.all(pages.map((page, index) => waitForClockOffset(page, offsets_before[index] ?? 0)));
}

/**
 * Waits until the page measures the same clock offset as before. A reply between `server.passTime` and `fastForward`
 * distorts it, which no phone meets; `visibilitychange` triggers a request that corrects it.
 */
async function waitForClockOffset(page: Page, before_ms: number): Promise<void> {
  const hasSameOffset = async () => {
    if (Math.abs((await readClockOffset(page)) - before_ms) < MOVED_MS) return true;
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    return false;
  };
  // A tablet reloads by itself in a night that has passed. A screen that makes no request keeps the wrong offset, and
  // has no use for it.
  const corrected = expect.poll(() => hasSameOffset().catch(() => false), { timeout: CORRECTED_WITHIN_MS }).toBe(true);
  await corrected.catch(() => {});
}

/** Returns the server-clock offset that the page has stored, in ms; 0 without one. */
function readClockOffset(page: Page): Promise<number> {
  return page.evaluate(() => {
    const stored = location.protocol.startsWith('http') ? localStorage.getItem('server-clock') : null;
    return stored === null ? 0 : (JSON.parse(stored) as { offset_ms: number }).offset_ms;
  });
}

/** Waits until the worker controls the page and has stored the app, so that the next start needs no network. */
export async function waitForWorker(page: Page): Promise<void> {
  // Polled from outside: the page's own timers run on the journey's clock.
  const often = { timeout: WORKER_TIMEOUT_MS, intervals: [200] };
  await expect.poll(() => page.evaluate(isUnderWorker), often).toBe(true);
}

async function isUnderWorker(): Promise<boolean> {
  const registration = await navigator.serviceWorker.getRegistration();
  return registration?.active?.state === 'activated' && navigator.serviceWorker.controller !== null;
}
