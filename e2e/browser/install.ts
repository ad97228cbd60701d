import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from '@playwright/test';
import { launchOptions, NO_MAP } from './fixtures.ts';

/** A browser with a profile: in all other journeys it is private, where Chromium installs no app. */
export async function openProfile(args: string[], options: BrowserContextOptions): Promise<BrowserContext> {
  const folder = await mkdtemp(join(tmpdir(), 'sendlap-profile-'));
  const context = await chromium.launchPersistentContext(folder, {
    ...launchOptions([...NO_MAP, ...args]),
    ...options,
  });
  context.on('close', () => void rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }));
  return context;
}

/** Returns why Chromium would not offer to install the app of this page; empty: it would. */
export async function listInstallProblems(page: Page): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page);
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
  await devtools.detach();
  return installabilityErrors.map(({ errorId }) => errorId);
}
