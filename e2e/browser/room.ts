import type { Page } from '@playwright/test';
import type { Server } from '../server/server.ts';

/**
 * More than any room that a journey gives. Chromium's databases use the room that they were last told for half a minute,
 * unless a write is larger, which makes them ask again.
 */
export const TOO_MANY_BYTES = 64 * 1024 * 1024;

/** Sets the quota. Call it before the first page load: later, the browser's databases would use the old one for a while. */
export function giveRoom(server: Server, quotaSize: number): (page: Page) => Promise<void> {
  return async (page) => {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Storage.overrideQuotaForOrigin', { origin: server.url, quotaSize });
  };
}

/** Returns how many bytes this site takes. */
export async function readUsage(page: Page, server: Server): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  const { usage } = await devtools.send('Storage.getUsageAndQuota', { origin: server.url });
  await devtools.detach();
  return usage;
}
