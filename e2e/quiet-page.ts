import { expect, type Page } from '@playwright/test';

/** Between two looks at the page. */
const LOOK_EVERY_MS = 300;

/** Until nothing more is loaded or drawn: before a journey says that something does not come up. */
export async function untilQuiet(page: Page): Promise<void> {
  let seen = '';
  const isUnchanged = async () => {
    const before = seen;
    seen = await page.evaluate(describePage);
    return seen === before;
  };
  await expect.poll(isUnchanged, { intervals: [LOOK_EVERY_MS] }).toBe(true);
}

/** Runs in the page. */
function describePage(): string {
  return `${performance.getEntriesByType('resource').length} ${document.body.innerHTML}`;
}
