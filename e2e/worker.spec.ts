import { expect, type Page } from '@playwright/test';
import { test } from './browser/fixtures.ts';
import { serveUpdatingWorker } from './browser/updating-worker.ts';
import { WITH_WORKER, waitForWorker } from './people/athlete.ts';
import { startForwardProxy } from './server/forward-proxy.ts';

test('a worker also controls a page that was still loading when it took over', async ({ browser, server }) => {
  const proxy = await startForwardProxy();
  const context = await browser.newContext({ baseURL: server.url, proxy: { server: proxy.address }, ...WITH_WORKER });
  const late = Promise.withResolvers<'pass'>();
  const asked = Promise.withResolvers<void>();
  proxy.follow(({ path }) => {
    if (path !== '/login?late') return 'pass';
    asked.resolve();
    return late.promise;
  });
  const page = await context.newPage();
  const arriving = page.goto('/login?late');
  await asked.promise;
  const first = await context.newPage();
  await first.goto('/login');
  await waitForWorker(first);
  late.resolve('pass');
  await arriving;
  await waitForWorker(page);
  await context.close();
  await proxy.close();
});

const isCodeReader = (path: string) => path.endsWith('.wasm');

test('a first installation in which a file failed is repeated, without a new visit, and stores the code reader where the browser cannot read codes', async ({
  browser,
  server,
}) => {
  const proxy = await startForwardProxy();
  const asked: string[] = [];
  const isManifest = (path: string) => path === '/kiosk.webmanifest';
  proxy.follow(({ path }) => {
    asked.push(path);
    return asked.filter(isManifest).length === 1 && isManifest(path) ? { status: 503, body: {} } : 'pass';
  });
  const context = await browser.newContext({ baseURL: server.url, proxy: { server: proxy.address }, ...WITH_WORKER });
  const page = await context.newPage();
  await page.goto('/login');
  await waitForWorker(page);
  expect(asked.filter(isManifest).length).toBeGreaterThan(1);
  expect(asked.filter(isCodeReader).length).toBeGreaterThan(0);
  await context.close();
  await proxy.close();
});

const WORKING_DETECTOR = `
self.BarcodeDetector = class {
  static getSupportedFormats = async () => ['qr_code'];
  detect = async () => [];
};`;

test('a browser that reads codes by itself does not store the code reader', async ({ browser, server }) => {
  const proxy = await startForwardProxy();
  const asked: string[] = [];
  proxy.follow(({ path }) => {
    asked.push(path);
    return path === '/sw.js' ? { append: WORKING_DETECTOR } : 'pass';
  });
  const context = await browser.newContext({ baseURL: server.url, proxy: { server: proxy.address }, ...WITH_WORKER });
  const page = await context.newPage();
  await page.goto('/login');
  await waitForWorker(page);
  expect(asked.filter(isCodeReader)).toEqual([]);
  await context.close();
  await proxy.close();
});

/** Returns the version that the waiting worker tells the page. */
function askWaitingWorker(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const { port1, port2 } = new MessageChannel();
    return new Promise<string>((resolve) => {
      port1.onmessage = ({ data }) => resolve(data);
      registration.waiting?.postMessage({ type: 'GET_VERSION' }, [port2]);
    });
  });
}

test('a new version is offered, never at the first install; Later dismisses it until the next one, and Update Now takes it in its own tab [spec 2.update.card, 2.update.now, 2.update.later, 4.update.available, 4.update.now, 4.update.later, 7.worker.skip-waiting, 1.install.update-card]', async ({
  browser,
  server,
}) => {
  const app = await serveUpdatingWorker(server);
  const context = await browser.newContext({ baseURL: app.url, ...WITH_WORKER });
  const [first, second] = [await context.newPage(), await context.newPage()];
  const updateIn = (page: Page) => page.getByRole('button', { name: 'Update Now' });
  for (const page of [first, second]) {
    await page.goto('/login');
    await waitForWorker(page);
    await expect(updateIn(page)).toHaveCount(0);
  }
  app.publish();
  await first.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())?.update()));
  for (const page of [first, second]) await expect(updateIn(page)).toBeVisible();
  await first.getByRole('button', { name: 'Later' }).click();
  await expect(updateIn(first)).toHaveCount(0);
  await first.reload();
  await waitForWorker(first);
  expect(await askWaitingWorker(first)).toMatch(/^[\w-]{16} 2$/);
  await expect(updateIn(first)).toHaveCount(0);
  app.publish();
  await first.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())?.update()));
  await expect(updateIn(first)).toBeVisible();
  for (const page of [first, second]) {
    await expect(updateIn(page)).toBeVisible();
    const loaded = page.waitForEvent('load');
    await updateIn(page).click();
    await loaded;
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(updateIn(page)).toHaveCount(0);
  }
  await first.waitForFunction(async () => (await navigator.serviceWorker.getRegistration())?.waiting === null);
  await context.close();
  await app.close();
});
