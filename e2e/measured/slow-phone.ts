import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test';
import { WITH_WORKER } from '../people/athlete.ts';

/** The phone of Lighthouse's mobile audits. */
const PHONE: BrowserContextOptions = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
  locale: 'en-GB',
  timezoneId: 'Europe/Madrid',
  ...WITH_WORKER,
};
const SLOWER = 4;
/** Lighthouse's slow 4G as Chromium's developer tools apply it to each request: ms, and bytes a second. */
const SLOW_4G = { latency: 562.5, downloadThroughput: 184_320, uploadThroughput: 84_375 };

export function openPhone(browser: Browser, url: string): Promise<BrowserContext> {
  return browser.newContext({ ...PHONE, baseURL: url });
}

/** Makes the page's processor four times as slow, and its network too if `has_slow_network`. Its worker's network stays fast. */
export async function slowDown(page: Page, has_slow_network: boolean) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  if (has_slow_network) {
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', { offline: false, ...SLOW_4G });
  }
  return devtools;
}
