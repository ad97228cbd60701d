import { setTimeout as pause } from 'node:timers/promises';
import { chromium, type Locator, type Page } from '@playwright/test';
import { launchOptions } from '../browser/fixtures.ts';
import { waitForWorker } from '../people/athlete.ts';
import { openPool } from '../people/swimming.ts';
import { startServer } from '../server/server.ts';
import { signInFilled } from './filled-athlete.ts';
import { openPhone, slowDown } from './slow-phone.ts';
import { IS_SMALL } from './trial.ts';
import { readPage, waitForQuiet, watchPage } from './watch-page.ts';

/** Printed as one line of JSON: by tap, ms from the finger to the next paint on a processor four times as slow. */
export type Taps = Record<string, number[]>;

const ROUNDS = IS_SMALL ? 1 : 3;
/** Until what the last tap loads is there: a tap is measured by itself. */
const REST_MS = IS_SMALL ? 500 : 2_000;
/** Interactions that end within a frame are not noted. */
const FRAME_MS = 16;
const PATIENCE_MS = 60_000;
/** Blocks the first tap of the control arm for longer than a good answer takes. */
const PLANTED_MS = 300;

const taps: Taps = {};

/** Taps, waits for what the tap shows, and notes the slowest interaction of the tap. */
async function tap(page: Page, name: string, target: Locator, shown: Locator): Promise<void> {
  await target.waitFor({ timeout: PATIENCE_MS });
  await pause(REST_MS);
  const begun_at = await page.evaluate(() => performance.now());
  await target.tap({ timeout: PATIENCE_MS });
  await shown.first().waitFor({ timeout: PATIENCE_MS });
  await pause(REST_MS);
  const { interactions } = await page.evaluate(readPage);
  const own = interactions.filter(({ at_ms }) => at_ms >= begun_at).map(({ took_ms }) => took_ms);
  taps[name] = [...(taps[name] ?? []), Math.max(FRAME_MS, ...own)];
}

async function tapThrough(page: Page): Promise<void> {
  const button = (name: string) => page.getByRole('button', { name });
  const heading = page.getByRole('heading', { level: 1 });
  await tap(page, 'start', button('Start swimming'), button('Finish'));
  const show_code = page.getByRole('link', { name: 'Show my code' });
  await tap(page, 'finish', button('Finish'), show_code);
  await tap(page, 'open the code', show_code, page.getByRole('img', { name: /QR code/ }));
  const tab = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true });
  await page.goto('/leaderboards');
  for (const name of ['Home', 'Ranks', 'Profile', 'Sport Centers'])
    await tap(page, `to ${name}`, tab(name), page.locator('main:has(h1)'));
  await page.goto('/dashboard');
  await tap(page, 'open the scanner', page.getByRole('link', { name: 'Scan a code' }), heading);
}

/** Runs in the page. */
function plantSlowTap(blocked_ms: number): void {
  const block = () => {
    const until = performance.now() + blocked_ms;
    while (performance.now() < until);
  };
  document.addEventListener('pointerdown', block, { once: true, capture: true });
}

const server = await startServer({ is_printing: false });
const camera = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];
const browser = await chromium.launch(launchOptions(camera));
try {
  const context = await openPhone(browser, server.url);
  await context.grantPermissions(['camera']);
  await signInFilled(context, server);
  const page = await context.newPage();
  await page.addInitScript(watchPage);
  await page.goto('/dashboard');
  await waitForWorker(page);
  await slowDown(page, false);
  for (let round = 0; round < ROUNDS; round += 1) {
    await openPool({ page }, server);
    await page.evaluate(waitForQuiet, REST_MS);
    await tapThrough(page);
  }
  await page.goto('/profile');
  await page.evaluate(plantSlowTap, PLANTED_MS);
  await tap(page, 'planted', page.getByRole('navigation').getByRole('link', { name: 'Ranks' }), page.locator('main'));
  console.log(`TAPS ${JSON.stringify(taps)}`);
} finally {
  await browser.close();
  await server.remove();
}
