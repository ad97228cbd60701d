import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, expect, type Page } from '@playwright/test';
import { launchOptions } from '../browser/fixtures.ts';
import { signUpWithoutScreens, WITH_WORKER, waitForWorker } from '../people/athlete.ts';
import { openPool, POOL, startSwimming } from '../people/swimming.ts';
import { answerAhead, declineInstallAhead } from '../people/welcome.ts';
import { startServer } from '../server/server.ts';
import { startBareSite } from './bare-site.ts';
import { IS_SMALL } from './trial.ts';

/**
 * Printed as one line of JSON: starts of a browser that was closed, without a network and with a processor that is four
 * times as slow, in ms since the navigation.
 */
interface ColdStarts {
  /** The first paint of Home: the frame of the screen. */
  paint_ms: number[];
  /** The first text or picture of Home. */
  content_ms: number[];
  /** Home shows the athlete's last activity. */
  own_data_ms: number[];
  /** The first paint of the smallest React page with a worker. */
  bare_paint_ms: number[];
}

const ROUNDS = IS_SMALL ? 1 : 9;
const SLOWER = 4;
const PHONE = { width: 390, height: 844 };

/** Notes when the page shows the text. Runs in the page, before its own scripts. */
function noteSight(text: string): void {
  const observer = new MutationObserver(() => {
    if (!document.body?.textContent.includes(text)) return;
    observer.disconnect();
    // After the frame that paints it.
    requestAnimationFrame(() => setTimeout(() => performance.mark('sight')));
  });
  observer.observe(document, { childList: true, subtree: true, characterData: true });
}

interface Site {
  /** The folder in which its browser keeps everything. */
  profile: string;
  url: string;
}

interface ColdStart {
  paint_ms: number;
  content_ms: number;
  sight_ms: number;
}

async function startCold(site: Site, path: string, text: string): Promise<ColdStart> {
  return inBrowser(site, async (context, page) => {
    await context.addInitScript(noteSight, text);
    await context.setOffline(true);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    await page.goto(path);
    const names = ['first-paint', 'first-contentful-paint', 'sight'];
    await page.waitForFunction((all) => all.every((name) => performance.getEntriesByName(name).length > 0), names);
    const [paint_ms, content_ms, sight_ms] = await page.evaluate(
      (all) => all.map((name) => performance.getEntriesByName(name)[0]?.startTime ?? Number.NaN),
      names,
    );
    return { paint_ms, content_ms, sight_ms } as ColdStart;
  });
}

async function inBrowser<Value>(
  { profile, url }: Site,
  act: (context: BrowserContext, page: Page) => Promise<Value>,
): Promise<Value> {
  const context = await chromium.launchPersistentContext(profile, {
    ...launchOptions(),
    ...WITH_WORKER,
    viewport: PHONE,
    baseURL: url,
  });
  try {
    return await act(context, context.pages()[0] ?? (await context.newPage()));
  } finally {
    await context.close();
  }
}

const folder = await mkdtemp(join(tmpdir(), 'sendlap-cold-start-'));
const bare_server = await startBareSite(join(folder, 'dist'));
const server = await startServer();
const app: Site = { profile: join(folder, 'app'), url: server.url };
const bare: Site = { profile: join(folder, 'bare'), url: bare_server.url };
try {
  await inBrowser(app, async (context, page) => {
    const { user_id } = await signUpWithoutScreens(context, server, 'Bench');
    await answerAhead(context, user_id);
    await declineInstallAhead(context);
    await page.goto('/dashboard');
    await waitForWorker(page);
    await openPool({ page }, server);
    await startSwimming({ page });
    await page.getByRole('button', { name: 'Finish' }).click();
    await expect(page.getByText('The server has it.')).toBeVisible({ timeout: 60_000 });
    await page.goto('/dashboard');
    await expect(page.getByRole('link', { name: POOL })).toBeVisible();
  });
  await inBrowser(bare, async (_, page) => {
    await page.goto('/');
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  });
  const starts: ColdStarts = { paint_ms: [], content_ms: [], own_data_ms: [], bare_paint_ms: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const { paint_ms, content_ms, sight_ms } = await startCold(app, '/dashboard', POOL);
    starts.paint_ms.push(paint_ms);
    starts.content_ms.push(content_ms);
    starts.own_data_ms.push(sight_ms);
    starts.bare_paint_ms.push((await startCold(bare, '/', 'Hello')).paint_ms);
  }
  console.log(`COLD-STARTS ${JSON.stringify(starts)}`);
} finally {
  bare_server.close();
  await server.remove();
  await rm(folder, { recursive: true, force: true });
}
