import type { BrowserContext } from '@playwright/test';

export interface Taps {
  count: number;
}

/** Counts the taps of a user in the pages that this browser loads from now on, without the clicks of scripts. */
export async function countTaps(context: BrowserContext): Promise<Taps> {
  const taps = { count: 0 };
  await context.exposeBinding('countTap', () => {
    taps.count += 1;
  });
  await context.addInitScript(() => {
    const { countTap } = window as unknown as { countTap: () => void };
    // At the document: a tap whose target moved away under it is stopped at the window, and made again.
    document.addEventListener('click', ({ isTrusted }) => isTrusted && countTap(), { capture: true });
  });
  return taps;
}
