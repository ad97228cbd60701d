import type { Page } from '@playwright/test';
import type { Server } from '../server/server.ts';

interface Choice {
  client_id: string;
  /** Merges the two if the card offers it; otherwise only the saved one is kept. */
  may_merge: boolean;
}

/** Opens a refused activity, whose card shows both, and says which counts. Returns the choice, or that the card is missing. */
export async function resolveOverlap(page: Page, server: Server, { client_id, may_merge }: Choice): Promise<string> {
  await page.goto(`${server.url}/activities/${client_id}`, { waitUntil: 'commit' });
  const card = page.getByRole('alert').filter({ hasText: 'Two activities at the same time' });
  const keep = card.getByRole('button', { name: 'Keep only the saved one' });
  const is_offered = await keep.waitFor().then(
    () => true,
    () => false,
  );
  if (!is_offered) return 'no card';
  const merge = card.getByRole('button', { name: /^Merge into one/ });
  if (may_merge && (await merge.isVisible())) {
    await merge.click();
    return 'merge';
  }
  await keep.click();
  await page.getByRole('button', { name: 'Delete the new one' }).click();
  return 'keep the saved one';
}
