import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { launchOptions } from '../browser/fixtures.ts';
import { signUpWithoutScreens, WITH_WORKER, waitForWorker } from '../people/athlete.ts';
import { startForwardProxy } from '../server/forward-proxy.ts';
import { startServer } from '../server/server.ts';

/** Printed as one line of JSON: the paths that a new browser asks the server for until the worker has the whole app. */
interface FirstVisit {
  /** From the sign-in page. */
  visitor: string[];
  /** From Home, with a session. */
  athlete: string[];
}

/** Without a request for so long, the visit has loaded all that it needs. */
const QUIET_MS = 3_000;

const server = await startServer();
const browser = await chromium.launch(launchOptions());
const proxy = await startForwardProxy();
try {
  const visit = async (path: string, is_signed_in: boolean): Promise<string[]> => {
    const asked: string[] = [];
    const context = await browser.newContext({
      baseURL: server.url,
      proxy: { server: proxy.address },
      ...WITH_WORKER,
    });
    if (is_signed_in) await signUpWithoutScreens(context, server, 'Bench');
    proxy.follow((request) => {
      asked.push(request.path);
      return 'pass';
    });
    const page = await context.newPage();
    await page.goto(path);
    await waitForWorker(page);
    // The stream of live events never ends, so the browser never calls its network idle.
    for (let seen = -1; seen < asked.length; await pause(QUIET_MS)) seen = asked.length;
    proxy.follow(undefined);
    await context.close();
    return asked;
  };
  const found: FirstVisit = { visitor: await visit('/login', false), athlete: await visit('/dashboard', true) };
  console.log(`FIRST-VISIT ${JSON.stringify(found)}`);
} finally {
  await browser.close();
  await proxy.close();
  await server.remove();
}
