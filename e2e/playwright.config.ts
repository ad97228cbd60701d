import { defineConfig } from '@playwright/test';
import { launchOptions } from './fixtures.ts';

export default defineConfig({
  testDir: '.',
  outputDir: '../.cache/e2e',
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  use: {
    viewport: { width: 390, height: 844 },
    locale: 'en-GB',
    actionTimeout: 15_000,
    // The steps alone: pictures and copies of every page took a quarter of the time.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    launchOptions: launchOptions(),
  },
});
