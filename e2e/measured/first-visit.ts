import { setTimeout as pause } from 'node:timers/promises';
import { type BrowserContext, chromium } from '@playwright/test';
import { launchOptions } from '../browser/fixtures.ts';
import { signUpWithoutScreens, WITH_WORKER, waitForWorker } from '../people/athlete.ts';
import { startForwardProxy } from '../server/forward-proxy.ts';
import { startServer } from '../server/server.ts';

/** What a browser asked the server for, and the bytes of the answers as they were sent, without the stream of events. */
interface Loaded {
  paths: string[];
  bytes: number;
}

/** Printed as one line of JSON: what a new browser loads until the worker has the whole app, and what it loads later. */
export interface FirstVisit {
  /** From the sign-in page. */
  visitor: Loaded;
  /** From Home, with a session. */
  athlete: Loaded;
  /** Home again in a new tab, under the worker. */
  athlete_return: Loaded;
}

/** Without a request for so long, the visit has loaded all that it needs. */
const QUIET_MS = 3_000;

const server = await startServer();
const browser = await chromium.launch(launchOptions());
const proxy = await startForwardProxy();
try {
  const open = () => browser.newContext({ baseURL: server.url, proxy: { server: proxy.address }, ...WITH_WORKER });
  const visit = async (context: BrowserContext, path: string): Promise<Loaded> => {
    const loaded: Loaded = { paths: [], bytes: 0 };
    proxy.follow((request) => {
      loaded.paths.push(request.path);
      return 'pass';
    });
    const stop = proxy.onRelayed((_, bytes) => {
      loaded.bytes += bytes;
    });
    const page = await context.newPage();
    await page.goto(path);
    await waitForWorker(page);
    // The stream of live events never ends, so the browser never calls its network idle.
    for (let seen = -1; seen < loaded.paths.length; await pause(QUIET_MS)) seen = loaded.paths.length;
    proxy.follow(undefined);
    stop();
    await page.close();
    return loaded;
  };
  const new_browser = await open();
  const visitor = await visit(new_browser, '/login');
  // Its worker would otherwise call through the proxy while the athlete's visits are counted.
  await new_browser.close();
  const signed_in = await open();
  await signUpWithoutScreens(signed_in, server, 'Bench');
  const athlete = await visit(signed_in, '/dashboard');
  const athlete_return = await visit(signed_in, '/dashboard');
  await signed_in.close();
  console.log(`FIRST-VISIT ${JSON.stringify({ visitor, athlete, athlete_return } satisfies FirstVisit)}`);
} finally {
  await browser.close();
  await proxy.close();
  await server.remove();
}
