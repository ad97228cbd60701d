import { expect, type Locator } from '@playwright/test';

/**
 * Presses Retry of a `failed` alert: once while the server still refuses, which has to ask it again (`asks` matches the
 * address) and to say so again, then, after `mend`, until the alert is gone.
 */
export async function retryAround(failed: Locator, asks: RegExp, mend: () => void | Promise<void>): Promise<void> {
  const refused = failed.page().waitForResponse(asks);
  await Promise.all([refused, failed.getByRole('button', { name: 'Retry' }).click()]);
  await expect(failed).toBeVisible();
  await mend();
  await retryUntilGone(failed);
}

/** To be called once nothing stands in the way any more. News of the stream may bring what is missing before it is pressed. */
async function retryUntilGone(failed: Locator): Promise<void> {
  const retry = failed.getByRole('button', { name: 'Retry' });
  await expect(async () => {
    if (await retry.isVisible()) await retry.click({ timeout: 1000 });
    await expect(failed).toBeHidden({ timeout: 3000 });
  }).toPass({ timeout: 15_000 });
}
