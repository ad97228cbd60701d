import { type Browser, type BrowserContext, type BrowserContextOptions, expect, type Page } from '@playwright/test';
import { readBrowserStores } from '../browser/browser-stores.ts';
import type { CameraBrowser } from '../browser/camera.ts';
import type { Server } from '../server/server.ts';
import { type Athlete, passNight, passTime } from './athlete.ts';

/** Shorter than the life of a code. */
const PRESSED_WITHIN_MS = 5_000;
/** The format of the server's tokens; the app's own code knows only their prefix. */
const TOKEN = /kiosk_[A-Za-z0-9_-]{32,}/;

/** A center's tablet, in a browser of its own. */
export interface Tablet {
  context: BrowserContext;
  page: Page;
}

/** Creates a one-time code for one tablet, by the operator CLI. */
async function inviteKiosk(server: Server, center_id: string): Promise<string> {
  const printed = await server.sendlap('kiosks', 'invite', '--center', center_id, '--json');
  const { code } = JSON.parse(printed.slice(printed.indexOf('{'))) as { code: string };
  return code;
}

/** Opens the kiosk's address on a tablet that never ran the app. */
export async function openTablet(
  browser: Browser,
  server: Server,
  options: BrowserContextOptions = {},
): Promise<Tablet> {
  await passNight(server);
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 1280, height: 800 },
    ...options,
  });
  await context.clock.install({ time: server.now() });
  const page = await context.newPage();
  await page.goto('/kiosk');
  return { context, page };
}

/** Opens a paired kiosk that shows its code. */
export async function openKiosk(
  browser: Browser,
  server: Server,
  center_id: string,
  options: BrowserContextOptions = {},
): Promise<Tablet> {
  const code = await inviteKiosk(server, center_id);
  const tablet = await openTablet(browser, server, options);
  await tablet.page.getByRole('textbox', { name: /One-time code|Código de un solo uso/ }).fill(code);
  await tablet.page.getByRole('button', { name: /^(Pair|Vincular)$/ }).click();
  await expectCode(tablet);
  return tablet;
}

/** Waits until the tablet shows the code. */
export async function expectCode({ page }: Tablet): Promise<void> {
  await expect(page.getByRole('img', { name: /QR code of|Código QR de/ })).toBeVisible();
}

/** Lets time pass for the server, the athletes' phones and the tablets; the kiosks then show the code of that time. */
export async function passTimeAt(tablets: Tablet[], server: Server, people: Athlete[], minutes: number): Promise<void> {
  const before = await Promise.all(tablets.map(({ page }) => readCode(page)));
  await passTime(server, [...people, ...tablets], minutes);
  for (const [index, { page }] of tablets.entries()) await expect.poll(() => readCode(page)).not.toBe(before[index]);
}

/** The path of the drawing, which differs for each code. */
function readCode(page: Page): Promise<string | null> {
  return page
    .getByRole('img', { name: /QR code of|Código QR de/ })
    .locator('path')
    .last()
    .getAttribute('d');
}

/**
 * The athlete scans the kiosk's code and presses the button that appears. On a busy machine the code may change before
 * the press, as the screen then says: the athlete scans again.
 */
export async function actAtKiosk(
  camera: CameraBrowser,
  athlete: Athlete,
  tablet: Tablet,
  button: string,
): Promise<void> {
  await expect(async () => {
    await scanKiosk(camera, athlete, tablet);
    await athlete.page.getByRole('button', { name: button }).click({ timeout: PRESSED_WITHIN_MS });
  }).toPass();
}

/** Starts at home, as an athlete does. */
async function scanKiosk(camera: CameraBrowser, { page }: Athlete, tablet: Tablet): Promise<void> {
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await camera.lookAt(tablet.page);
  await page.getByRole('link', { name: 'Scan a code' }).click();
  await expect(page.getByRole('heading', { name: /^You're at / })).toBeVisible();
}

/** Returns the stores of the tablet that hold a kiosk's token. */
export async function findToken({ page }: Tablet): Promise<string[]> {
  const stores = await readBrowserStores(page);
  return stores.filter(({ text }) => TOKEN.test(text)).map(({ place }) => place);
}
