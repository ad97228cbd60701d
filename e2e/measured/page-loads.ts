import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type BrowserContext, chromium } from '@playwright/test';
import { PATHS } from '../../apps/web/src/shared/paths.ts';
import { launchOptions } from '../browser/fixtures.ts';
import { waitForWorker } from '../people/athlete.ts';
import { startServer } from '../server/server.ts';
import { startBareSite } from './bare-site.ts';
import { signInFilled } from './filled-athlete.ts';
import { SCREENS } from './screens.ts';
import { openPhone } from './slow-phone.ts';
import { IS_SMALL } from './trial.ts';
import { type ProfiledVisit, type Visit, visit, visitProfiled } from './visit.ts';

/** Printed as one line of JSON: visits with Lighthouse's phone and network. */
export interface PageLoads {
  /** First visits of the bare page and of the sign-in page, in turn. */
  bare_cold: Visit[];
  login: Visit[];
  /** Later visits, with a worker and a session. */
  bare_return: Visit[];
  /** By path, as the profiles. */
  screens: Record<string, Visit[]>;
  profiles: Record<string, ProfiledVisit>;
  /** The bare page with a planted long task and a planted jump. */
  planted: Visit;
}

const ROUNDS = IS_SMALL ? 1 : 3;
const QUIET_MS = IS_SMALL ? 1_000 : 5_000;
const SMALL_SCREENS: string[] = [PATHS.dashboard, PATHS.sportCenters];
const LOGIN = { path: PATHS.login, shows: 'main h1' };

/** Blocks and moves the page after its first paint. Runs in the page. */
function plantFaults(): void {
  addEventListener('load', () =>
    setTimeout(() => {
      let sum = 0;
      for (let count = 0; count < 2e8; count += 1) sum += count % 7;
      document.querySelector('h1')?.style.setProperty('margin-top', `${sum > 0 ? 600 : 0}px`);
    }, 500),
  );
}

const folder = await mkdtemp(join(tmpdir(), 'sendlap-page-loads-'));
const bare = await startBareSite(join(folder, 'bare'));
const server = await startServer({ is_printing: false });
const browser = await chromium.launch(launchOptions());

async function visitNew(url: string, target: { path: string; shows?: string; plant?: () => void }): Promise<Visit> {
  const context = await openPhone(browser, url);
  return visit({ browser, context, url, quiet_ms: QUIET_MS, ...target }).finally(() => context.close());
}

/** Opens each screen once, so that what it loads late is stored. */
async function openAll(context: BrowserContext): Promise<void> {
  const page = await context.newPage();
  for (const [path, shows] of Object.entries(SCREENS)) {
    await page.goto(path);
    await page.locator(shows).first().waitFor({ timeout: 60_000 });
  }
  await waitForWorker(page);
  // Its background work of a first day, such as saving a town, is then over.
  await pause(IS_SMALL ? 1_000 : 10_000);
  await page.close();
}

try {
  const targets = Object.entries(SCREENS)
    .map(([path, shows]) => ({ path, shows }))
    .filter(({ path }) => !IS_SMALL || SMALL_SCREENS.includes(path));
  const athlete = await openPhone(browser, server.url);
  await signInFilled(athlete, server);
  await openAll(athlete);
  const bare_phone = await openPhone(browser, bare.url);
  const found: PageLoads = {
    bare_cold: [],
    login: [],
    bare_return: [],
    screens: Object.fromEntries(targets.map(({ path }) => [path, []])),
    profiles: {},
    planted: await visitNew(bare.url, { path: '/', plant: plantFaults }),
  };
  const app = { browser, context: athlete, url: server.url, quiet_ms: QUIET_MS };
  const first = await bare_phone.newPage();
  await first.goto('/');
  await first.evaluate(() => navigator.serviceWorker.ready);
  for (let round = 0; round < ROUNDS; round += 1) {
    found.bare_cold.push(await visitNew(bare.url, { path: '/' }));
    found.login.push(await visitNew(server.url, LOGIN));
    found.bare_return.push(await visit({ browser, context: bare_phone, url: bare.url, path: '/', quiet_ms: QUIET_MS }));
    for (const target of targets) found.screens[target.path]?.push(await visit({ ...app, ...target }));
  }
  const visitor = await openPhone(browser, server.url);
  found.profiles[PATHS.login] = await visitProfiled({ ...app, context: visitor, ...LOGIN });
  for (const target of targets) found.profiles[target.path] = await visitProfiled({ ...app, ...target });
  console.log(`PAGE-LOADS ${JSON.stringify(found)}`);
} finally {
  await browser.close();
  bare.close();
  await server.remove();
  await rm(folder, { recursive: true, force: true });
}
