import type { Page } from '@playwright/test';

/** Says "Later" to the questions of the first run whenever they come up, for journeys about something else. */
export async function postponeWheneverAsked(page: Page): Promise<void> {
  const later = page.getByRole('dialog').getByRole('button', { name: 'Later' });
  await page.addLocatorHandler(later, () => later.click());
}
